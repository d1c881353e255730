import { hash } from 'node:crypto'
import { type Content, html } from './markup.ts'
import { style } from './style.ts'

/**
 * A page that stands alone: nothing is loaded, no script runs, and the one style is the one that is in it. Whatever a
 * crawled page may have put into the texts of this one, a browser is told so too.
 */
const styleHash = hash('sha256', style, 'base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`

export const documentOf = (title: string, body: Content): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main>
${body}</main>
</body>
</html>
`.markup

/** The figures at a glance. */
export const figuresOf = (figures: readonly (readonly [name: string, value: string])[]): Content =>
  html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
`
