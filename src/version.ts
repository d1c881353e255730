import { readFileSync } from 'node:fs'

/** The package's version: `package.json` lies one folder up in a checkout and two in a build. */
function readVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    const found = manifest(new URL(place, import.meta.url))
    if (found !== null && found.name === 'millrace') return found.version
  }
  return '0.0.0'
}

function manifest(url: URL): { readonly name: string; readonly version: string } | null {
  try {
    return JSON.parse(readFileSync(url, 'utf8'))
  } catch {
    return null
  }
}

export const version = readVersion()
