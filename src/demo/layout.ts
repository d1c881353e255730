import { type Addresses, infoPages } from './addresses.ts'
import { type Catalogue, productsPerTrade } from './catalogue.ts'
import type { Charset } from './charset.ts'
import { type Html, html, type Part, raw } from './html.ts'
import { moneyText } from './money.ts'
import type { Product } from './product.ts'
import { style } from './style.ts'
import { trades } from './trades.ts'

/** What the pages of one shop are made from. */
export interface Shop {
  readonly catalogue: Catalogue
  readonly addresses: Addresses
}

export interface PageText {
  readonly title: Part
  readonly description: string
  readonly canonical: string
  readonly language?: string
  readonly charset?: Charset
  /** False: neither the page nor anything else says how it is encoded. */
  readonly declaresCharset?: boolean
  readonly head?: Part
  readonly main: Html
}

const wheel = raw(
  '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true"><circle cx="12" cy="12" r="8"/><circle cx="12" cy="12" r="2"/><path d="M12 1v9M12 14v9M1 12h9M14 12h9M4.2 4.2l6.4 6.4M13.4 13.4l6.4 6.4M19.8 4.2l-6.4 6.4M10.6 13.4l-6.4 6.4"/></svg>',
)

/** Links that a crawler should leave alone stand among those it should follow, as they do everywhere. */
const navigation = ({ urls, category, journal }: Addresses): Html => html`<nav class="main" aria-label="Departments">
<ul>
${trades.map(trade => html`<li><a href="${category(trade, 1)}">${trade.name}</a>\n`)}<li><a href="${journal(1)}">Journal</a>
<li><a href="https://guild.example/members" rel="external">The Guild</a>
<li><a href="mailto:mill@guild.example">Write to us</a>
<li><a href="${urls.home}search" rel="search">Search</a>
<li><a href="${urls.shop}cart">Basket</a>
<li><a href="${urls.shop}account/login">Sign in</a>
<li><a href="${urls.home}admin/" rel="nofollow">Staff</a>
<li><a href="#top">Back to top</a>
</ul>
</nav>`

const footer = ({ catalogue, addresses }: Shop): Html => html`<footer>
<div class="columns">
${trades.map(
  (trade, place) => html`<section><h4>Popular in ${trade.name}</h4>
<ul>
${catalogue.products
  .slice(place * productsPerTrade, place * productsPerTrade + 6)
  .map(product => html`<li><a href="${addresses.product(product)}">${product.title}</a>\n`)}</ul></section>
`,
)}<section class="info"><h4>The mill</h4>
<ul>
${infoPages.map(({ slug, title }) => html`<li><a href="${addresses.urls.home}${slug}.html">${title}</a></li>\n`)}</ul></section>
</div>
<p style="text-align:center;padding-bottom:2rem">Tolling Weir Stores is a shop that does not exist. Nothing here can be bought, whatever the buttons say.</p>
</footer>`

/** A whole document around `page.main`. */
export function layout(shop: Shop, page: PageText): string {
  const { addresses } = shop
  const declaration = (page.declaresCharset ?? true) ? html`<meta charset="${page.charset ?? 'utf-8'}">\n` : null
  return html`<!DOCTYPE html>
<html lang="${page.language ?? 'en'}">
<head>
${declaration}<title>${page.title} | Tolling Weir Stores</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${page.description}">
<link rel="canonical" href="${page.canonical}">
<meta property="og:site_name" content="Tolling Weir Stores">
<meta property="og:title" content="${page.title}">
<meta property="og:url" content="${page.canonical}">
<style>${raw(style)}</style>
${page.head ?? null}</head>
<body id="top">
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div class="bar">
<a class="brand" href="${addresses.urls.home}">${wheel}Tolling Weir</a>
${navigation(addresses)}
</div></header>
<main id="content">
${page.main}
</main>
${footer(shop)}
<script>document.documentElement.classList.add('js'); // <main> is complete without it</script>
<noscript><img src="${addresses.urls.media}pictures/seen-1.svg" alt="" width="1" height="1"></noscript>
</body>
</html>
`.html
}

/** A product as lists and recommendations show it. */
export const card = ({ addresses }: Shop, product: Product): Html => html`<li class="card">
<a href="${addresses.product(product)}" tabindex="-1" aria-hidden="true"><img loading="lazy" width="240" height="240" src="${addresses.picture(product, 1)}" alt=""></a>
<h3><a href="${addresses.product(product)}">${product.title}</a></h3>
<p class="stars" aria-label="${product.rating} of 5 stars">${starsText(product.rating)} <small>(${product.reviews.length})</small></p>
<p class="price">${moneyText(product.price)}</p>
</li>
`

/** Stars as letters that every charset of the shop has. */
export const starsText = (rating: number): Html =>
  raw(
    '&#9733;'.repeat(Math.floor(rating)) + (rating % 1 === 0 ? '' : '&#189;') + '&#9734;'.repeat(5 - Math.ceil(rating)),
  )
