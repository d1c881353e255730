"""Scrapy with its defaults but for what would slow it down: no log, no retries, no delays, no robots file."""

import json
import resource
import sys
import time

started = time.time()

import scrapy
from scrapy.crawler import CrawlerProcess

base, count, concurrency, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
items = 0


class Pages(scrapy.Spider):
    name = "pages"

    def start_requests(self):
        for nth in range(count):
            yield scrapy.Request(f"{base}/{nth}", dont_filter=True)

    def parse(self, response):
        global items
        items += 1
        text_of = lambda selector: "".join(selector.xpath(".//text()").getall())
        yield {
            "title": "".join(response.css("title")[:1].xpath(".//text()").getall()),
            "description": response.css('meta[name="description"]::attr(content)').get(),
            "canonical": response.css('link[rel="canonical"]::attr(href)').get(),
            "h1": [text_of(h1) for h1 in response.css("h1")],
            "h2": [text_of(h2) for h2 in response.css("h2")],
            "links": response.css("a[href]::attr(href)").getall(),
            "images": [img.attrib.get("src") for img in response.css("img")],
            "_url": response.url,
        }


process = CrawlerProcess(
    {
        "LOG_ENABLED": False,
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "RETRY_ENABLED": False,
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "FEEDS": {out: {"format": "jsonlines"}},
        "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
    }
)
process.crawl(Pages)
process.start()
usage = resource.getrusage(resource.RUSAGE_SELF)
print()
print(
    json.dumps(
        {
            "items": items,
            "cpuMs": (usage.ru_utime + usage.ru_stime) * 1000,
            "wallMs": (time.time() - started) * 1000,
            "rssMb": usage.ru_maxrss / 1024,
            "loopDelayMs": None,
        }
    )
)
