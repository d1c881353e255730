import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { documentFault, isParsable, sniffsAsHtml } from '../../src/decode/document-type.ts'
import { binaryKindOf } from '../../src/decode/magic-number.ts'
import { hex, utf8 } from './codings.ts'

const png = hex('89504e470d0a1a0a0000000d49484452')
const page = utf8('<!doctype html><p>x')

describe('what a page is said to be', () => {
  test.each(['text/html', 'application/xhtml+xml', 'text/xml', 'application/rss+xml', 'image/svg+xml', 'text/plain'])(
    '%s is parsed',
    essence => {
      expect(isParsable(essence)).toBe(true)
      expect(documentFault(`${essence}; charset=utf-8`, page)).toBeNull()
    },
  )

  test.each(['application/json', 'application/ld+json', 'image/png', 'application/pdf', 'text/css', 'text/javascript'])(
    '%s is refused, whatever is in it',
    essence => {
      expect(isParsable(essence)).toBe(false)
      expect(documentFault(essence, page)).toMatchObject({ code: 'CONTENT_TYPE' })
    },
  )

  test.each(['', 'junk', 'application/octet-stream', 'unknown/unknown'])('%j leaves it to the bytes', header => {
    expect(documentFault(header, page)).toBeNull()
    expect(documentFault(header, utf8('just words'))).toMatchObject({ code: 'CONTENT_TYPE' })
    expect(documentFault(header, new Uint8Array())).toBeNull()
    expect(documentFault(header, png)).toMatchObject({ code: 'CONTENT_TYPE' })
  })

  test('the fault says what came and what would be accepted, without terminal escapes', () => {
    expect(documentFault('a\u001b[31m/b', utf8('x'))?.message).toBe(
      'the page is of no declared type; accepted are HTML, XHTML, XML and plain text',
    )
    expect(documentFault(`a/${'b'.repeat(5000)}`, page)?.message.length).toBeLessThan(200)
    expect(documentFault('application/json', utf8('{}'))?.message).toBe(
      'the page is application/json; accepted are HTML, XHTML, XML and plain text',
    )
    expect(documentFault('text/html', png)?.message).toBe(
      'the page is text/html, and by its bytes a PNG image; accepted are HTML, XHTML, XML and plain text',
    )
  })
})

describe('what a page is by its bytes', () => {
  test.each([
    ['a PNG image', png],
    ['a JPEG image', hex('ffd8ffe000104a464946')],
    ['a GIF image', utf8('GIF89a....')],
    ['a WebP image', utf8('RIFF....WEBPVP8 ')],
    ['a PDF document', utf8('%PDF-1.7\n')],
    ['a ZIP archive', hex('504b030414000000')],
    ['a gzip archive', gzipSync('x')],
    ['an MP4 or AVIF file', hex('00000020667479706d703432')],
    ['an old Office document', hex('d0cf11e0a1b11ae1')],
  ])('%s served as text/html is refused', (kind, bytes) => {
    expect(binaryKindOf(bytes)).toBe(kind)
    expect(documentFault('text/html', bytes)).toMatchObject({ code: 'CONTENT_TYPE' })
  })

  test.each([
    '<!DOCTYPE html>',
    ' \n\t<HTML lang=en>',
    '<head>',
    '<!-- x --><p>',
    '<?xml version="1.0"?><rss/>',
    '<p>x',
    '<a href=x>',
    '<urlset xmlns="x">',
    '\ufeff<html>',
    '<html',
  ])('%j opens like a document', text => {
    expect(sniffsAsHtml(utf8(text))).toBe(true)
    expect(sniffsAsHtml(Buffer.from(text, 'utf16le'))).toBe(true)
    expect(binaryKindOf(utf8(text))).toBeNull()
  })

  test.each(['', 'plain', '{"a": "<p>"}', '<abbreviation>', '<', '%PDF-1.4', 'BM', 'body <p>'])('%j does not', text => {
    expect(sniffsAsHtml(utf8(text))).toBe(false)
  })
})
