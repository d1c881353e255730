import type { DemoUrls } from './addresses.ts'

/** The fields of a product page. `expected.ts` says what each has to give. */
const productItem = {
  title: 'h1',
  sku: '.sku',
  price: { selector: '.buybox .price', type: 'number' },
  currency: { selector: 'meta[itemprop=priceCurrency]', value: 'content' },
  rating: { selector: '.star-rating', value: 'data-rating', type: 'number' },
  reviewCount: { selector: '.review-count', type: 'number' },
  stock: { selector: '.stock', value: 'data-units', type: 'number' },
  availability: '.stock',
  breadcrumbs: ['.breadcrumb li a'],
  description: ['.description p'],
  images: [{ selector: '.gallery img', value: 'src', type: 'url' }],
  specs: [{ selector: 'table.specs tr', value: { name: 'th', value: 'td' } }],
  offers: [
    {
      selector: 'tr.offer',
      value: {
        seller: '.seller',
        price: { selector: '.p', type: 'number' },
        deliveryDays: { selector: '.delivery', value: 'data-days', type: 'number' },
        condition: '.condition',
      },
    },
  ],
  maker: { selector: '.maker', value: { name: 'strong', town: '.town' } },
  datasheet: { selector: 'a.datasheet', value: 'href', type: 'url' },
  canonical: { selector: 'link[rel=canonical]', value: 'href', type: 'url' },
  published: { selector: 'time.published', value: 'datetime', type: 'date' },
  data: { selector: 'script[type="application/ld+json"]', type: 'json' },
}

/** The job of `millrace demo`, as one would write it in a job file: every product of the shop, over all three hosts. */
export const demoJob = (urls: DemoUrls): { readonly [key: string]: unknown } => ({
  name: 'demo',
  seeds: [urls.home],
  scope: { include: [`${urls.home}*`, `${urls.shop}*`, `${urls.media}*`] },
  pages: [
    { name: 'department', match: '/category/*', follow: ['.products h3 a', 'li.next a'] },
    // Short links of the journal lead to products too.
    { name: 'product', match: '/(product|go)/:slug', follow: ['.related a'], item: productItem },
    { name: 'journal', match: '/journal/*', follow: ['.articles a', '.mentioned a', 'li.next a', '.more a'] },
    { name: 'page', match: '/*', follow: ['nav.main a', '.products a', 'footer .info a'] },
  ],
})
