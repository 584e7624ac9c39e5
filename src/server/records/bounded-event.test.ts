import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleEvent } from '../../../test/kit/audit-event.ts'
import { auditEventBytes, auditEventLimits } from '../../shared/domain/limits/audit-limits.ts'
import { auditLine, csvRow } from '../audit/audit-line.ts'
import { boundedEvent, shortenedText } from './bounded-event.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('a long text is cut, and ends with its length and a hash; a text within the limit is unchanged', () => {
  const long = `/${'ä'.repeat(1_000_000)}`
  const { target } = boundedEvent(sampleEvent({ target: long }))
  expect(Buffer.byteLength(target)).toBeLessThanOrEqual(auditEventLimits.pathBytes)
  expect(target).toMatch(/^\/ä{900,}… \[2000001 bytes, SHA-256 [0-9a-f]{16}\]$/)
  expect(target).toContain(sha256(long).slice(0, 16))
  const whole = 'x'.repeat(100)
  expect([shortenedText(whole, 100), shortenedText(`${whole}x`, 100).length]).toEqual([whole, 98])
  // An emoji has two UTF-16 units, of which a cut never leaves only one.
  for (const length of [80, 81, 82, 83, 84])
    expect(shortenedText('😀'.repeat(99), length).isWellFormed()).toBe(true)
})

test('of a long list the first items stay, with the number of the others', () => {
  const fields = Array.from({ length: 5000 }, (_, n) => `field${n}`)
  const { details } = boundedEvent(sampleEvent({ details: { fields, isInline: true } }))
  const kept = (details['fields'] as readonly string[]).slice(0, -1)
  expect(kept).toEqual(fields.slice(0, kept.length))
  expect(details).toEqual({ fields: [...kept, `+${5000 - kept.length}`], isInline: true })
  expect(kept.length).toBeGreaterThan(100)
})

/** Texts with characters that take several bytes in JSON, up to some thousand characters long. */
const anyText = fc
  .tuple(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('', '"', '\u0001', '\udc80', '😀', '\u202e'),
    fc.nat(3000),
  )
  .map(([start, unit, count]) => start + unit.repeat(count))

test('no event exceeds the limit in any form, and a bounded event is not cut again', () => {
  const members = {
    username: anyText,
    session: anyText,
    address: anyText,
    target: anyText,
    destination: anyText,
    details: fc.dictionary(anyText, fc.oneof(anyText, fc.boolean(), fc.array(anyText, { maxLength: 50 })), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
  }
  fc.assert(
    fc.property(fc.record(members), (fields) => {
      const bounded = boundedEvent(sampleEvent(fields))
      expect(Buffer.byteLength(auditLine(bounded))).toBeLessThanOrEqual(auditEventBytes)
      expect(Buffer.byteLength(csvRow(bounded))).toBeLessThanOrEqual(2 * auditEventBytes)
      expect(boundedEvent(bounded)).toEqual(bounded)
    }),
    { numRuns: 200 },
  )
})
