import Crawler from 'crawler'
import { fieldsBy } from '../cheerio-fields.ts'
import { finish, keep, task } from '../contest/figures.ts'

/** node-crawler, which loads every page with cheerio. */
const crawler = new Crawler({
  maxConnections: task.concurrency,
  silence: true,
  retries: 0,
  callback(error, response, done) {
    if (error === null && response.$) keep(response.options.url, fieldsBy(response.$))
    done()
  },
})
crawler.on('drain', () => {
  finish()
  process.exit()
})
crawler.add(task.urls)
