import { closedPaths, type DemoUrls, openDraft } from './addresses.ts'

/** The robots file of each host. Folders are closed as a whole, with the one exception that the media host makes. */
export function robotsText(site: keyof DemoUrls): string {
  const closed = site === 'media' ? ['drafts/'] : closedPaths[site]
  return [
    `# ${site} of the Millrace demo`,
    'User-agent: greedy-mill-bot',
    'Disallow: /',
    '',
    'User-agent: *',
    ...closed.map(path => `Disallow: /${path}`),
    ...(site === 'media' ? [`Allow: /${openDraft}`] : []),
    '',
  ].join('\n')
}
