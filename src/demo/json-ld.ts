import type { Addresses } from './addresses.ts'
import { amountOf } from './money.ts'
import type { Product } from './product.ts'

/** The schema.org block of a product page. */
export const productJsonLd = (product: Product, addresses: Addresses): { readonly [key: string]: unknown } => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: product.title,
  sku: product.sku,
  image: Array.from({ length: product.imageCount }, (_, place) => addresses.picture(product, place + 1)),
  brand: { '@type': 'Brand', name: product.maker.name },
  category: product.trade.name,
  offers: {
    '@type': 'AggregateOffer',
    priceCurrency: product.price.currency,
    lowPrice: Math.min(...product.offers.map(({ price }) => amountOf(price))),
    highPrice: Math.max(...product.offers.map(({ price }) => amountOf(price))),
    offerCount: product.offers.length,
    availability: `https://schema.org/${product.stock > 0 ? 'InStock' : 'OutOfStock'}`,
  },
  aggregateRating: {
    '@type': 'AggregateRating',
    ratingValue: product.rating,
    reviewCount: product.reviews.length,
  },
})
