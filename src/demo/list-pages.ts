import { closedPaths, infoPages, openDraft, shortLinked } from './addresses.ts'
import { productsPerTrade } from './catalogue.ts'
import { createDice, seedOf } from './dice.ts'
import { type Html, html } from './html.ts'
import { type Article, articlesPerPage } from './journal.ts'
import { card, layout, type Shop } from './layout.ts'
import { paragraphs } from './prose.ts'
import { type Trade, trades } from './trades.ts'

const productsPerPage = 10
export const categoryPages = Math.ceil(productsPerTrade / productsPerPage)

const pager = (page: number, pages: number, addressOf: (page: number) => string): Html => html`<ul class="pager">
${page > 1 ? html`<li class="previous"><a href="${addressOf(page - 1)}" rel="prev">Previous</a></li>\n` : null}<li class="current">Page ${page} of ${pages}</li>
${page < pages ? html`<li class="next"><a href="${addressOf(page + 1)}" rel="next">Next</a></li>\n` : null}</ul>`

export function homePage(shop: Shop): string {
  const { catalogue, addresses } = shop
  const featured = catalogue.products.filter(({ index }) => index % 25 === 12)
  return layout(shop, {
    title: 'Flour, malt, stones and belts',
    description: 'Everything for mill, brewhouse and bakery, from a shop that exists to be scraped.',
    canonical: addresses.urls.home,
    main: html`<div class="hero"><h1>Everything but the river.</h1>
<p>Twelve departments, three hundred things, one very patient webserver.</p></div>
<h2>Departments</h2>
<ul class="articles">
${trades.map((trade, place) => {
  const text = paragraphs(createDice(place), 'en', { thing: trade.name, maker: 'the mill', town: 'Nether Tolling' }, 1)
  return html`<li class="card"><h3><a href="${addresses.category(trade, 1)}">${trade.name}</a></h3><p>${text}</p></li>\n`
})}</ul>
<h2>This week on the counter</h2>
<ul class="products">
${featured.map(product => card(shop, product))}</ul>`,
  })
}

export function categoryPage(shop: Shop, trade: Trade, page: number): string {
  const { catalogue, addresses } = shop
  const products = catalogue.products.filter(product => product.trade === trade)
  const shown = products.slice((page - 1) * productsPerPage, page * productsPerPage)
  return layout(shop, {
    title: `${trade.name}, page ${page}`,
    description: `${products.length} products in ${trade.name}.`,
    canonical: addresses.category(trade, page),
    language: trade.language,
    charset: trade.charset,
    declaresCharset: trade.declaredBy === 'meta',
    main: html`<ol class="breadcrumb"><li><a href="${addresses.urls.home}">Home</a></li><li>${trade.name}</li></ol>
<h1>${trade.name}</h1>
<p>Sorted by <b>stock number</b>, <a href="?sort=price" rel="nofollow">price</a> or <a href="?sort=stars" rel="nofollow">stars</a>.</p>
<ol class="products">
${shown.map(product => card(shop, product))}</ol>
${pager(page, categoryPages, wanted => addresses.category(trade, wanted))}`,
  })
}

export function journalPage(shop: Shop, page: number): string {
  const { catalogue, addresses } = shop
  const shown = catalogue.articles.slice((page - 1) * articlesPerPage, page * articlesPerPage)
  const { media } = addresses.urls
  return layout(shop, {
    title: `Journal, page ${page}`,
    description: 'Stories from the mill.',
    canonical: addresses.journal(page),
    main: html`<h1>Journal</h1>
<ul class="articles">
${shown.map(
  article =>
    html`<li class="card"><h3><a href="${addresses.article(article)}">${article.title}</a></h3><p>${article.paragraphs[0] ?? ''}</p></li>\n`,
)}</ul>
${pager(page, catalogue.articles.length / articlesPerPage, addresses.journal)}
<p class="more">Not ready yet: ${closedPaths.media.map(path => html`<a href="${media}${path}">second thoughts</a>`)}.
Ready, though it stands among the drafts: <a href="${media}${openDraft}">the open day</a>.</p>`,
  })
}

export function articlePage(shop: Shop, article: Article): string {
  const { catalogue, addresses } = shop
  const isFirst = article === catalogue.articles[0]
  const short = isFirst ? shortLinked(catalogue) : []
  return layout(shop, {
    title: article.title,
    description: article.paragraphs[0] ?? article.title,
    canonical: addresses.article(article),
    main: html`<article><h1>${article.title}</h1>
<p>By ${article.author}</p>
${article.paragraphs.map(text => html`<p>${text}\n`)}</article>
<aside class="mentioned"><h2>Mentioned here</h2>
<ul class="products">
${article.mentioned.map(product => card(shop, product))}${short.map(
  product => html`<li class="card"><h3><a href="${addresses.short(product)}">${product.title}</a></h3></li>\n`,
)}</ul>
<p>Further reading at <a href="https://guild.example/reading">the Guild</a>.</p>
</aside>`,
  })
}

/** A page of nothing but text: the four of the front host, and the draft that may be read. */
export function textPage(shop: Shop, title: string, address: string): string {
  const dice = createDice(seedOf(shop.catalogue.products.length, title, 0))
  const text = paragraphs(dice, 'en', { thing: title, maker: 'the mill', town: 'Nether Tolling' }, 5)
  return layout(shop, {
    title,
    description: title,
    canonical: address,
    main: html`<h1>${title}</h1>
${text.map(paragraph => html`<p>${paragraph}</p>\n`)}
<p>See also ${infoPages.map(info => html`<a href="${shop.addresses.urls.home}${info.slug}.html">${info.title}</a> `)}</p>`,
  })
}
