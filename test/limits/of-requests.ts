import { truncate } from 'node:fs/promises'
import path from 'node:path'
import type { Rule } from '../../src/shared/domain/access.ts'
import { limits } from '../../src/shared/domain/limits.ts'
import { encodeName } from '../../src/shared/domain/path.ts'
import { converse } from '../kit/start-http-server.ts'
import { startApp, type App, type AppOptions } from '../kit/start-app.ts'
import type { LimitTestCase } from './limit.ts'

const open = (wish: AppOptions = {}): Promise<App> =>
  startApp({ people: { ada: { perm: { admin: true } } }, ...wish })

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Changes Ann's language with a body that contains additional text. Returns the status of the response. */
async function changing(more: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const app = await open()
  const body = `{"what":"user","which":["locale"],"data":{"id":${app.user.id},"locale":"de"},"more":${more}}`
  return (await app.call('users.update', { id: app.user.id, body, headers })).status
}

/** Changes Ann's language with a body of exactly the given size. Returns the status of the response. */
async function changingBy(sizeBytes: number): Promise<number> {
  const app = await open()
  const start = `{"what":"user","which":["locale"],"data":{"id":${app.user.id},"locale":"de"},"more":"`
  const body = `${start}${'x'.repeat(sizeBytes - start.length - 2)}"}`
  return (await app.call('users.update', { id: app.user.id, body })).status
}

async function loggingInBy(call: 'login' | 'signup', sizeBytes: number): Promise<number> {
  const app = await open({ settings: { signup: true } })
  const start = '{"username":"nobody","password":"'
  const body = `${start}${'x'.repeat(sizeBytes - start.length - 2)}"}`
  return (await app.fetch(`/api/${call}`, { method: 'POST', token: null, body })).status
}

async function signingUp(password: string): Promise<number> {
  const app = await open({ settings: { signup: true } })
  const body = JSON.stringify({ username: 'eve', password })
  return (await app.fetch('/api/signup', { method: 'POST', token: null, body })).status
}

/** Returns a password of the given size that is not a common one. */
const phrase = (bytes: number): string => 'a horse of another colour, '.repeat(bytes).slice(0, bytes)

const looking = async (asked: string): Promise<number> =>
  (await open()).rawStatus('GET', `/api/resources${asked}`)

async function renamingTo(name: string): Promise<number> {
  const app = await open({ files: { a: 'A' } })
  const destination = encodeURIComponent(`/${name}`)
  return app.rawStatus('PATCH', `/api/resources/a?action=rename&destination=${destination}`)
}

/** Returns a path of the given size, made of names of the maximum length. */
function pathOf(bytes: number): string {
  const whole = `/${'x'.repeat(limits.nameBytes)}`.repeat(Math.ceil(bytes / 256))
  return whole.slice(0, bytes)
}

const withRules = (count: number, ruleBytes: number): Promise<number> =>
  ruling(count, { regex: false, path: `/${'r'.repeat(ruleBytes - 1)}` })

const withRegexes = (count: number, raw: string): Promise<number> =>
  ruling(count, { regex: true, path: '', regexp: { raw } })

/** Stores `count` copies of a rule. Returns the status of the response. */
async function ruling(count: number, rule: Partial<Rule>): Promise<number> {
  const app = await open()
  const ada = await app.signIn('ada')
  const data = { id: app.user.id, rules: Array.from({ length: count }, () => rule) }
  const json = { what: 'user', which: ['rules'], data }
  return (await ada.call('users.update', { id: app.user.id, json })).status
}

/** Requests an archive of `count` names, each encoded twice. Returns the status of the response. */
async function archiveOf(count: number): Promise<number> {
  const app = await open({ files: { a: 'A' } })
  const names = Array.from({ length: count }, (_, n) => encodeName(`ä name of a file with its number ${n}`))
  const files = encodeURIComponent(['a', ...names].join(','))
  const head = `Host: h\r\nX-Auth: ${app.token}\r\nConnection: close\r\n\r\n`
  const { port } = new URL(app.url)
  const response = await converse(Number(port), `GET /api/raw/?files=${files} HTTP/1.1\r\n${head}`, 10_000)
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1])
}

async function describing(file: string, sizeBytes: number): Promise<unknown> {
  const app = await open({ files: { [file]: 'text\n' } })
  await truncate(path.join(app.disk, file), sizeBytes)
  const reply = await app.call('resources.get', { path: `/${file}` })
  const { size, content } = (await reply.json()) as { size: number; content?: string }
  return [reply.status, size, content?.length]
}

async function subtitle(file: string, sizeBytes: number): Promise<number> {
  const app = await open({ files: { [file]: '1\n00:00:01,000 --> 00:00:02,000\nhello\n\n' } })
  await truncate(path.join(app.disk, file), sizeBytes)
  const reply = await app.call('subtitles.get', { path: `/${file}` })
  await reply.arrayBuffer()
  return reply.status
}

async function searching(bytes: number): Promise<number> {
  const app = await open()
  return (await app.call('search.get', { path: '/', query: { query: 'x'.repeat(bytes) } })).status
}

/** Requests an archive of `count` short names. Returns the status of the response. */
async function archiveOfNames(count: number): Promise<number> {
  const app = await open({ files: { a: 'A' } })
  const files = Array.from({ length: count }, (_, n) => n.toString(36)).join(',')
  return app.rawStatus('HEAD', `/api/raw/?files=${files}`)
}

export const ofRequests: readonly LimitTestCase[] = [
  {
    limit: 'a search has 4096 bytes',
    constants: ['searchQueryBytes'],
    below: () => searching(4096),
    beyond: () => searching(4097),
    says: [200, 400],
  },
  {
    limit: 'an archive is made of 10,000 named entries',
    constants: ['archiveNames'],
    below: () => archiveOfNames(10_000),
    beyond: () => archiveOfNames(10_001),
    says: [200, 400],
  },
  {
    limit: 'a JSON body has 1 MiB',
    constants: ['jsonBodyBytes'],
    below: () => changingBy(1024 * 1024),
    beyond: () => changingBy(1024 * 1024 + 1),
    says: [200, 413],
  },
  {
    limit: 'the body of a login has 16 kB',
    constants: ['loginBodyBytes'],
    below: () => loggingInBy('login', 16 * 1024),
    beyond: () => loggingInBy('login', 16 * 1024 + 1),
    says: [403, 413],
  },
  {
    limit: 'the body of a signup has 16 kB',
    below: () => loggingInBy('signup', 16 * 1024),
    beyond: () => loggingInBy('signup', 16 * 1024 + 1),
    says: [400, 413],
  },
  {
    limit: 'JSON nests 32 deep',
    constants: ['jsonDepth'],
    below: () => changing(nested(31)),
    beyond: () => changing(nested(32)),
    says: [200, 400],
  },
  {
    limit: 'bodies are not compressed',
    below: () => changing('1', { 'content-encoding': 'identity' }),
    beyond: () => changing('1', { 'content-encoding': 'gzip' }),
    says: [200, 415],
  },
  {
    limit: 'a password has 1024 bytes',
    constants: ['passwordBytes'],
    below: () => signingUp(phrase(1024)),
    beyond: () => signingUp(phrase(1025)),
    says: [200, 400],
  },
  {
    limit: 'a password has 12 characters',
    constants: ['minimumPasswordLength'],
    below: () => signingUp('zebra crisps'),
    beyond: () => signingUp('zebra crisp'),
    says: [200, 400],
  },
  {
    limit: 'a name has 255 bytes',
    constants: ['nameBytes'],
    below: () => looking(`/${encodeURIComponent(`${'ä'.repeat(127)}x`)}`),
    beyond: () => looking(`/${encodeURIComponent('ä'.repeat(128))}`),
    says: [404, 400],
  },
  {
    limit: 'the name in a destination has 255 bytes',
    below: () => renamingTo('x'.repeat(255)),
    beyond: () => renamingTo('x'.repeat(256)),
    says: [200, 400],
  },
  {
    limit: 'a path has 4096 bytes',
    constants: ['pathBytes'],
    below: () => looking(pathOf(4094)),
    beyond: () => looking(pathOf(4098)),
    says: [404, 400],
  },
  {
    limit: 'a path has 1024 names',
    constants: ['pathSegments'],
    below: () => looking('/x'.repeat(1024)),
    beyond: () => looking('/x'.repeat(1025)),
    says: [404, 400],
  },
  {
    limit: 'there are 1000 rules',
    constants: ['rules'],
    below: () => withRules(1000, 8),
    beyond: () => withRules(1001, 8),
    says: [200, 400],
  },
  {
    limit: 'a rule has 1 kB',
    constants: ['ruleBytes'],
    below: () => withRules(1, 1024),
    beyond: () => withRules(1, 1025),
    says: [200, 400],
  },
  {
    limit: 'an expression has 2000 steps when its repetitions are written out',
    constants: ['ruleSteps'],
    below: () => withRegexes(1, 'a{1000}b{1000}'),
    beyond: () => withRegexes(1, 'a{1000}b{1000}c'),
    says: [200, 400],
  },
  {
    limit: 'all expressions of a list have 100,000',
    constants: ['rulesSteps'],
    below: () => withRegexes(1000, 'a{100}'),
    beyond: () => withRegexes(1000, 'a{101}'),
    says: [200, 400],
  },
  {
    limit: 'a list of files is as long as the head lets it be',
    below: () => archiveOf(200),
    beyond: () => archiveOf(6000),
    says: [200, 431],
  },
  {
    limit: 'text comes with its content up to 10 MiB',
    constants: ['textContentBytes'],
    below: () => describing('a.txt', 10 * 1024 * 1024),
    beyond: () => describing('a.txt', 10 * 1024 * 1024 + 1),
    says: [
      [200, 10 * 1024 * 1024, 10 * 1024 * 1024],
      [200, 10 * 1024 * 1024 + 1, undefined],
    ],
  },
  ...['a.vtt', 'a.srt'].map((file): LimitTestCase => ({
    limit: `a subtitle has 10 MB: ${file}`,
    constants: ['subtitleBytes'],
    below: () => subtitle(file, 10 * 1024 * 1024),
    beyond: () => subtitle(file, 10 * 1024 * 1024 + 1),
    says: [200, 413],
  })),
]
