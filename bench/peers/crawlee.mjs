import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio'
import { fieldsBy } from '../cheerio-fields.ts'
import { finish, keep, task } from '../contest/figures.ts'

/** Crawlee's CheerioCrawler with all that can be left out left out: no sessions, no storage on disk, no log. */
log.setLevel(log.LEVELS.OFF)
const crawler = new CheerioCrawler(
  {
    minConcurrency: task.concurrency,
    maxConcurrency: task.concurrency,
    // Ten otherwise, whatever the least is, and more only by and by.
    autoscaledPoolOptions: { desiredConcurrency: task.concurrency },
    maxRequestRetries: 0,
    useSessionPool: false,
    persistCookiesPerSession: false,
    requestHandler({ $, request }) {
      keep(request.url, fieldsBy($))
    },
  },
  new Configuration({ persistStorage: false, purgeOnStart: false, availableMemoryRatio: 0.9 }),
)
await crawler.run(task.urls)
finish()
