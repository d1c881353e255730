import { z } from 'zod'
import {
  bytesOrSize,
  closed,
  duration,
  either,
  flag,
  longestMs,
  milliseconds,
  millisecondsText,
  oneOf,
  positiveNumber,
  text,
  wholeNumber,
} from './shape.ts'

const mostInFlight = 10_000

export const headersShape = z.record(
  z.string(),
  either([z.string(), z.number()], 'the text of the header'),
  'a map of header names to their text',
)

const delayText = `${millisecondsText(0, longestMs)}; or [min, max] to draw from`
const delayMs = either(
  [
    wholeNumber(0, longestMs, delayText),
    duration(0, longestMs, delayText),
    z.tuple([milliseconds(0), milliseconds(0)], 'two times'),
  ],
  delayText,
).meta({ description: 'Departures of one host are at least this far apart: milliseconds, or a time with its unit.' })

const rateOf = (description: string) =>
  either(
    [
      oneOf(['none'], ', { perSecond: 2 } or { perMinute: 120, burst: 5 }'),
      closed(
        {
          perSecond: positiveNumber(10_000, ' per second').optional(),
          perMinute: positiveNumber(600_000, ' per minute').optional(),
          burst: wholeNumber(1, 10_000).optional(),
        },
        '`none` or { perSecond or perMinute, burst }',
      ),
    ],
    '`none`, { perSecond: 2 } or { perMinute: 120, burst: 5 }',
  ).meta({ description })
const burstText = 'burst is how many may leave at once (default 1).'
const rate = rateOf(`Departures per host and time; ${burstText}`)

const policyNames = ['fixed', 'aimd', 'courteous', 'window', 'blockrate', 'gradient', 'vegas'] as const
const policyShape = {
  policy: oneOf(policyNames).optional(),
  start: wholeNumber(1, mostInFlight).optional(),
  max: wholeNumber(1, mostInFlight).optional(),
}
const perHost = closed(policyShape, '{ policy: aimd, start: 2, max: 16 } or { policy: fixed, max: 4 }').meta({
  description: 'Requests in flight on one host: a fixed number, or one that follows the health of the host.',
})

const bytes = bytesOrSize(2 ** 40, '10MB, 512KiB')

export const limitsShape = closed(
  {
    perHost: perHost.optional(),
    rate: rate.optional(),
    delayMs: delayMs.optional(),
    globalRate: rateOf(`Departures over all hosts and time; ${burstText}`).optional(),
    inFlight: wholeNumber(1, mostInFlight).meta({ description: 'Requests in flight over all hosts.' }).optional(),
    perDomain: wholeNumber(1, mostInFlight)
      .meta({ description: 'Requests in flight over all hosts of one registrable domain.' })
      .optional(),
    perAddress: wholeNumber(1, mostInFlight)
      .meta({ description: 'Requests in flight over all hosts that have an address in common.' })
      .optional(),
    bodyBytes: bytes.meta({ description: 'Bound of one decoded body.' }).optional(),
    pageBudgetBytes: bytes.meta({ description: 'Bound of all bodies held at a time.' }).optional(),
  },
  '{ perHost, rate, delayMs, globalRate, inFlight, perDomain, perAddress, bodyBytes, pageBudgetBytes }',
)

export const hostShape = closed(
  {
    ...policyShape,
    rate: rate.optional(),
    delayMs: delayMs.optional(),
    headers: headersShape.optional(),
    allowPrivate: flag
      .meta({ description: 'Whether pages of the public web may lead to this host though its address is private.' })
      .optional(),
    reason: text('who agreed to it, or why').optional(),
  },
  '{ max, policy, rate, delayMs, headers, allowPrivate, reason }',
)

export type LimitsShape = z.output<typeof limitsShape>
export type HostShape = z.output<typeof hostShape>
export type RateShape = z.output<typeof rate>
export type DelayShape = z.output<typeof delayMs>
