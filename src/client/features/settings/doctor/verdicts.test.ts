import { expect, test } from 'vitest'
import { readCatalogue } from '../../../../../scripts/texts/catalogue.ts'
import type { DoctorEcho } from '../../../../shared/contract/doctor.ts'
import { explainedProxies, proxyFindings } from '../../../../shared/domain/doctor/proxy-findings.ts'
import type { ProbeResponse, SentBody } from './probe.ts'
import * as verdicts from './verdicts.ts'

const echo: DoctorEcho = {
  id: 'a',
  host: 'files.example.com',
  forwardedHost: '',
  isSecure: true,
  isProxyTrusted: true,
  isForwarded: true,
  peer: '',
  hasToken: true,
  fillCharacters: 0,
}
const page = { host: 'files.example.com', isSecure: true }

const response = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
  text = '',
): NonNullable<ProbeResponse> => ({ status, header: (name) => headers[name] ?? null, text })

const ofServer = (status: number) => response(status, { 'x-error': 'a-code' })
const echoed = (id: string) => response(200, {}, JSON.stringify({ ...echo, id }))

test('the texts of the page are those of the table of findings', () => {
  const english = new Map(readCatalogue('en').map((message) => [message.id, message.english]))
  for (const [code, { title, sentence, lines, option }] of Object.entries(proxyFindings)) {
    expect(english.get(`settings.doctor.${code}.title`)).toBe(title)
    expect(english.get(`settings.doctor.${code}.text`)).toBe(sentence)
    for (const proxy of explainedProxies) expect(lines[proxy]).toMatch(/\S/)
    expect(option ?? 'ADDRESS').toContain('ADDRESS')
  }
})

test('a lost header, host or scheme, and a proxy that is not trusted, are found', () => {
  expect([
    verdicts.tokenVerdict(echo),
    verdicts.tokenVerdict({ ...echo, hasToken: false }),
    verdicts.trustVerdict(echo),
    verdicts.trustVerdict({ ...echo, isProxyTrusted: false }),
    verdicts.trustVerdict({ ...echo, isProxyTrusted: false, isForwarded: false }),
  ]).toEqual(['ok', 'found', 'ok', 'found', 'ok'])
  const other = { ...echo, host: '127.0.0.1:8080' }
  expect([
    verdicts.hostVerdict(echo, page),
    verdicts.hostVerdict(other, page),
    verdicts.hostVerdict({ ...other, forwardedHost: 'files.example.com, inner' }, page),
  ]).toEqual(['ok', 'found', 'ok'])
  expect([
    verdicts.schemeVerdict(echo, page),
    verdicts.schemeVerdict(echo, { ...page, isSecure: false }),
    verdicts.schemeVerdict({ ...echo, isSecure: false, isProxyTrusted: false }, page),
  ]).toEqual(['ok', 'found', 'unmeasured'])
})

test('a response that the server did not make is recognised', () => {
  expect(verdicts.echoOf(response(200, {}, '<html>'))).toBeNull()
  expect(verdicts.echoOf(response(200, {}, 'null'))).toBeNull()
  expect(verdicts.echoOf(response(413))).toBeNull()
  expect(verdicts.echoOf(echoed('b'))?.id).toBe('b')
  expect(verdicts.showsPage(response(200, { 'content-type': 'text/html; charset=utf-8' }))).toBe(true)
  expect(verdicts.showsPage(null)).toBe(false)
})

test('a doubled base path is found in the address of the response', () => {
  const judge = (location: string) =>
    verdicts.basePathVerdict(response(200, { location }), '/files/api', 'https://files.example.com')
  expect([
    judge('/files/api'),
    judge('https://files.example.com/files/api'),
    judge('/files/files/api'),
  ]).toEqual(['ok', 'ok', 'found'])
  expect(verdicts.basePathVerdict(response(200), '/files/api', 'https://files.example.com')).toBe('found')
})

test('decoded and refused escapes, and cut methods, are found', () => {
  expect(verdicts.escapesVerdict(ofServer(400), ofServer(404))).toBe('ok')
  expect(verdicts.escapesVerdict(ofServer(404), ofServer(404))).toBe('found')
  expect(verdicts.escapesVerdict(ofServer(400), response(400))).toBe('found')
  expect(verdicts.methodsVerdict([ofServer(405), ofServer(405)])).toBe('ok')
  expect(verdicts.methodsVerdict([ofServer(405), response(403)])).toBe('found')
  expect(verdicts.methodsVerdict([ofServer(405), null])).toBe('found')
  expect(verdicts.headerSizeVerdict(echoed('a'), echoed('b'))).toBe('ok')
  expect(verdicts.headerSizeVerdict(response(414), echoed('b'))).toBe('found')
  expect(verdicts.headerSizeVerdict(echoed('a'), response(502))).toBe('found')
})

test('dropped ranges, compressed files and stored responses are found', () => {
  const part = response(206, { 'content-range': 'bytes 1000-1006/65536' }, 'stowage')
  expect(verdicts.rangeVerdict(part)).toBe('ok')
  expect(verdicts.rangeVerdict(response(200, {}, 'stowage'))).toBe('found')
  expect(verdicts.rangeVerdict(response(206, { 'content-range': 'bytes 1000-1006/65536' }, 'towage'))).toBe(
    'found',
  )
  expect(verdicts.rangeVerdict(ofServer(429))).toBe('unmeasured')
  const file = { 'content-length': '65536', etag: '"a"' }
  expect(verdicts.compressionVerdict(response(200, file))).toBe('ok')
  expect(verdicts.compressionVerdict(response(200, { ...file, 'content-encoding': 'gzip' }))).toBe('found')
  expect(verdicts.compressionVerdict(response(200, { etag: '"a"' }))).toBe('found')
  expect(verdicts.compressionVerdict(response(200, { ...file, etag: 'W/"a"' }))).toBe('found')
  expect(verdicts.cacheVerdict(echoed('a'), echoed('b'), response(200))).toBe('ok')
  expect(verdicts.cacheVerdict(echoed('a'), echoed('a'), response(200))).toBe('found')
  expect(verdicts.cacheVerdict(echoed('a'), echoed('b'), response(200, { age: '7' }))).toBe('found')
})

const sent = (times: { sentMs: number; totalMs: number; receivingMs: number }, status = 200): SentBody => ({
  response: response(status, {}, JSON.stringify({ receivingMs: times.receivingMs })),
  ...times,
})

test('an upload that the browser had sent before the server got its head was buffered', () => {
  const { uploadBufferVerdict } = verdicts
  // A fast line without and with a buffer, and a slow line without and with one.
  expect(uploadBufferVerdict(sent({ sentMs: 1550, totalMs: 1600, receivingMs: 1590 }))).toBe('ok')
  expect(uploadBufferVerdict(sent({ sentMs: 100, totalMs: 1700, receivingMs: 1590 }))).toBe('found')
  expect(uploadBufferVerdict(sent({ sentMs: 20_000, totalMs: 20_100, receivingMs: 20_050 }))).toBe('ok')
  expect(uploadBufferVerdict(sent({ sentMs: 20_000, totalMs: 21_700, receivingMs: 1600 }))).toBe('found')
  expect(uploadBufferVerdict(sent({ sentMs: 0, totalMs: 0, receivingMs: 0 }, 413))).toBe('unmeasured')
})

test('a body that was answered by something else than the server is not measured', () => {
  const times = { sentMs: 100, totalMs: 1700 }
  for (const text of ['<!doctype html>', 'null', '{}', '{"receivingMs":"1"}'])
    expect(verdicts.uploadBufferVerdict({ response: response(200, {}, text), ...times })).toBe('unmeasured')
})

const body = (answer: NonNullable<ProbeResponse>) =>
  verdicts.bodyLimitVerdict({ response: answer, sentMs: 0, totalMs: 0 })

test('a refused body, a late first line and an ended wait are found', () => {
  expect([
    body(response(200)),
    body(response(413)),
    body(response(0)),
    body(ofServer(413)),
    body(response(502)),
    body(response(408)),
  ]).toEqual(['ok', 'found', 'found', 'unmeasured', 'unmeasured', 'unmeasured'])
  expect(verdicts.streamVerdict({ firstMs: 20, endMs: 1520 })).toBe('ok')
  expect(verdicts.streamVerdict({ firstMs: 1500, endMs: 1520 })).toBe('found')
  expect(verdicts.streamVerdict(null)).toBe('unmeasured')
  expect(verdicts.timeoutVerdict(response(200))).toBe('ok')
  expect(verdicts.timeoutVerdict(response(504))).toBe('found')
  expect(verdicts.timeoutVerdict(null)).toBe('found')
  expect(verdicts.timeoutVerdict(ofServer(429))).toBe('unmeasured')
})
