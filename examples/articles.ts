/**
 * A job as a module: for those who like their editor to know what a job may hold, or who compute parts of it.
 *
 *   millrace run examples/articles.ts --out articles
 *
 * news.test does not exist. Put your own site in its place, and ask its owner first.
 */
// In a project of your own: import { defineJob } from 'millrace'
import { defineJob } from '../src/index.ts'

const sections = ['science', 'farming', 'letters']

export const job = defineJob({
  name: 'articles',
  preset: 'polite',
  seeds: sections.map(section => `https://news.test/${section}/`),
  scope: { within: 'same-domain', exclude: ['/*/print/*'], maxDepth: 6 },
  pages: [
    {
      name: 'article',
      match: '/:section/:year(\\d{4})/:slug',
      follow: ['.read-more a'],
      item: {
        headline: 'h1',
        byline: { selector: 'meta[name=author]', value: 'content' },
        published: { selector: 'article time', value: 'datetime', type: 'date' },
        summary: { selector: 'meta[property="og:description"]', value: 'content' },
        picture: { selector: 'meta[property="og:image"]', value: 'content', type: 'url' },
        paragraphs: ['article p'],
        html: { selector: 'article', value: 'innerHTML' },
        tags: ['a[rel=tag]'],
        comments: [
          {
            selector: '.comment',
            value: { author: '.who', text: '.text', votes: { selector: '.votes', type: 'number' } },
          },
        ],
      },
    },
    { name: 'section', match: '/:section/*', follow: ['article h2 a', 'a[rel=next]'] },
  ],
  limits: { rate: { perMinute: 30 } },
})
