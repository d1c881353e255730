import { type Html, html, jsonForScript, withReferences } from './html.ts'
import { productJsonLd } from './json-ld.ts'
import { card, layout, type Shop, starsText } from './layout.ts'
import { amountOf, moneyText } from './money.ts'
import type { Product } from './product.ts'

/** Every third title spells what is beyond ASCII with references, as hand-made pages do. */
const heading = (product: Product): Html =>
  product.index % 3 === 1 ? withReferences(product.title) : html`${product.title}`

const gallery = ({ addresses }: Shop, product: Product): Html => html`<div class="gallery">
${Array.from({ length: product.imageCount }, (_, place) => {
  const url = addresses.picture(product, place + 1)
  // Half of the pictures are linked without a scheme.
  const src = place % 2 === 0 ? url : url.replace(/^http:/, '')
  return html`<img src="${src}" width="240" height="240" alt="${product.title}, view ${place + 1}">\n`
})}</div>`

const buybox = ({ addresses }: Shop, product: Product): Html => html`<div class="buybox">
<p class="price"><span>${moneyText(product.price)}</span></p>
<meta itemprop="priceCurrency" content="${product.price.currency}">
<p class="star-rating stars" data-rating="${product.rating}">${starsText(product.rating)} <a href="#reviews"><span class="review-count">${product.reviews.length}</span> reviews</a></p>
<p><span class="stock${product.stock === 0 ? ' out' : ''}" data-units="${product.stock}">${product.stock === 0 ? 'Sold out' : 'In stock'}</span></p>
<form action="${addresses.urls.shop}cart" method="post"><input type="hidden" name="sku" value="${product.sku}"><button>Add to basket</button></form>
<p>Stock number <b class="sku">${product.sku}</b></p>
<div class="maker">Made by <strong>${product.maker.name}</strong> in <span class="town">${product.maker.town}</span></div>
${product.hasDatasheet ? html`<p><a class="datasheet" href="../datasheets/${product.sku}.pdf">Drawing and measures (PDF)</a></p>` : null}
<p>On our shelves since <time class="published" datetime="${product.publishedAt}">${product.publishedAt.slice(0, 10)}</time></p>
</div>`

const specs = (product: Product): Html => html`<h2>Measures</h2>
<table class="specs">
${product.specs.map(({ name, value }) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>\n`)}</table>`

const offers = (product: Product): Html => html`<h2>Sold by</h2>
<table class="offers">
<thead><tr><th>Seller</th><th>Price</th><th>Delivery</th><th>Condition</th></tr></thead>
<tbody>
${product.offers.map(
  ({ seller, price, deliveryDays, condition }) => html`<tr class="offer">
<td class="seller">${seller}</td>
<td class="p">${moneyText(price)}</td>
<td class="delivery" data-days="${deliveryDays}">${deliveryDays === 1 ? 'tomorrow' : `in ${deliveryDays} days`}</td>
<td class="condition">${condition}</td>
</tr>
`,
)}</tbody>
</table>`

const reviews = (product: Product): Html => html`<section id="reviews"><h2>What customers say</h2>
${product.reviews.map(
  ({ author, stars, text, date }) => html`<article class="review" itemscope itemtype="https://schema.org/Review">
<p><span class="who" itemprop="author">${author}</span> <span class="stars" aria-label="${stars} of 5 stars">${starsText(stars)}</span> <time itemprop="datePublished" datetime="${date}">${date}</time></p>
<p itemprop="reviewBody">${text}</p>
<p class="helpful"><small>Was this of use? <a href="#reviews" role="button" data-vote="yes">Yes</a> <a href="#reviews" role="button" data-vote="no">No</a></small></p>
</article>
`,
)}</section>`

/** Eight others: two of the same department, six from anywhere; and what is gone but was never taken off the page. */
function related(shop: Shop, product: Product): Html {
  const { products, discontinued } = shop.catalogue
  const steps = [1, 2, 37, 61, 101, 149, 191, 233]
  const others = steps.flatMap(step => products[(product.index + step) % products.length] ?? [])
  const gone = discontinued.filter(({ recommendedBy }) => recommendedBy === product.index)
  return html`<section class="related"><h2>Goes with</h2>
<ul>
${others.map(other => card(shop, other))}${gone.map(
  ({ title, slug }) => html`<li class="card"><h3><a href="/product/${slug}">${title}</a></h3></li>\n`,
)}</ul></section>`
}

/** What scripts of the page would read; large, and of no use to a scraper that has the table. */
const state = (product: Product, asciiOnly: boolean): Html =>
  html`<script>window.__STATE__ = ${jsonForScript(
    {
      product: { sku: product.sku, price: amountOf(product.price), stock: product.stock, specs: product.specs },
      offers: product.offers.map(offer => ({ ...offer, price: amountOf(offer.price) })),
      reviews: product.reviews,
      flags: { checkout: 'v2', lazyImages: true, abTest: product.index % 2 === 0 ? 'mill' : 'weir' },
    },
    asciiOnly,
  )}</script>`

export function productPage(shop: Shop, product: Product): string {
  const { addresses } = shop
  const { trade } = product
  const asciiOnly = trade.charset !== 'utf-8'
  return layout(shop, {
    title: heading(product),
    description: product.description[0] ?? product.title,
    canonical: addresses.canonical(product),
    language: trade.language,
    charset: trade.charset,
    declaresCharset: trade.declaredBy === 'meta',
    head: html`<script type="application/ld+json">${jsonForScript(productJsonLd(product, addresses), asciiOnly)}</script>\n`,
    main: html`<ol class="breadcrumb">
<li><a href="${addresses.urls.home}">Home</a></li>
<li><a href="${addresses.category(trade, 1)}">${trade.name}</a></li>
</ol>
<h1>${heading(product)}</h1>
<div class="product">
${gallery(shop, product)}
${buybox(shop, product)}
</div>
<div class="description">
${product.description.map(text => html`<p>${text}\n`)}</div>
${specs(product)}
${offers(product)}
${reviews(product)}
${related(shop, product)}
${state(product, asciiOnly)}`,
  })
}
