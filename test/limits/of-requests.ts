import { truncate } from 'node:fs/promises'
import path from 'node:path'
import type { AccessRule } from '../../src/shared/domain/access.ts'
import type { UserFields } from '../../src/server/records/user-store.ts'
import { limits } from '../../src/shared/domain/limits.ts'
import { encodeName } from '../../src/shared/domain/path.ts'
import { converse } from '../kit/start-http-server.ts'
import { startApp, type TestApp, type TestAppOptions } from '../kit/start-app.ts'
import type { LimitTestCase } from './limit.ts'

const startServer = (options: TestAppOptions = {}): Promise<TestApp> =>
  startApp({ users: { ada: { perm: { admin: true } } }, ...options })

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Changes Ann's language with a body that contains additional text. Returns the status of the response. */
async function updateWithBody(more: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const app = await startServer()
  const body = `{"what":"user","which":["locale"],"data":{"id":${app.user.id},"locale":"de"},"more":${more}}`
  return (await app.call('users.update', { id: app.user.id, body, headers })).status
}

/** Changes Ann's language with a body of exactly the given size. Returns the status of the response. */
async function updateWithBodySize(sizeBytes: number): Promise<number> {
  const app = await startServer()
  const start = `{"what":"user","which":["locale"],"data":{"id":${app.user.id},"locale":"de"},"more":"`
  const body = `${start}${'x'.repeat(sizeBytes - start.length - 2)}"}`
  return (await app.call('users.update', { id: app.user.id, body })).status
}

async function loginWithBodySize(call: 'login' | 'signup', sizeBytes: number): Promise<number> {
  const app = await startServer({ settings: { signup: true } })
  const start = '{"username":"nobody","password":"'
  const body = `${start}${'x'.repeat(sizeBytes - start.length - 2)}"}`
  return (await app.fetch(`/api/${call}`, { method: 'POST', token: null, body })).status
}

async function signUpWithPassword(password: string): Promise<number> {
  const app = await startServer({ settings: { signup: true } })
  const body = JSON.stringify({ username: 'eve', password })
  return (await app.fetch('/api/signup', { method: 'POST', token: null, body })).status
}

/** Returns a password of the given size that is not in the list of common passwords. */
const passwordOf = (bytes: number): string => 'a horse of another colour, '.repeat(bytes).slice(0, bytes)

const statusOfPath = async (path: string): Promise<number> =>
  (await startServer()).rawStatus('GET', `/api/resources${path}`)

async function renameTo(name: string): Promise<number> {
  const app = await startServer({ files: { a: 'A' } })
  const destination = encodeURIComponent(`/${name}`)
  return app.rawStatus('PATCH', `/api/resources/a?action=rename&destination=${destination}`)
}

/** Returns a path of the given size, which consists of names with the maximum length. */
function pathOf(bytes: number): string {
  const whole = `/${'x'.repeat(limits.nameBytes)}`.repeat(Math.ceil(bytes / 256))
  return whole.slice(0, bytes)
}

const withRules = (count: number, ruleBytes: number): Promise<number> =>
  storeRules(count, { regex: false, path: `/${'r'.repeat(ruleBytes - 1)}` })

const withRegexes = (count: number, raw: string): Promise<number> =>
  storeRules(count, { regex: true, path: '', regexp: { raw } })

/**
 * Changes fields of Ann as an administrator. Returns the status of the response, or of a request that Ann sends with her new
 * token when that fails.
 */
async function withField(fields: Partial<UserFields>): Promise<number> {
  const app = await startServer()
  const ada = await app.signIn('ada')
  const json = { what: 'user', which: Object.keys(fields), data: { id: app.user.id, ...fields } }
  const { status } = await ada.call('users.update', { id: app.user.id, json })
  const { token } = await app.signIn('ann')
  const own = await app.fetch('/api/sessions', { token })
  return own.status === 200 ? status : own.status
}

/** Returns words that have the given number of bytes as a list in JSON. */
function wordsOf(bytes: number): readonly string[] {
  const brackets = 2
  const quotesAndComma = 3
  const words = Array.from({ length: 8 }, () => 'w'.repeat(4000))
  const rest = bytes - brackets - words.length * (4000 + quotesAndComma) - quotesAndComma + 1
  return [...words, 'r'.repeat(rest)]
}

/** Stores `count` copies of a rule. Returns the status of the response. */
async function storeRules(count: number, rule: Partial<AccessRule>): Promise<number> {
  const app = await startServer()
  const ada = await app.signIn('ada')
  const data = { id: app.user.id, rules: Array.from({ length: count }, () => rule) }
  const json = { what: 'user', which: ['rules'], data }
  return (await ada.call('users.update', { id: app.user.id, json })).status
}

/** Requests an archive of `count` names, each encoded twice. Returns the status of the response. */
async function archiveOf(count: number): Promise<number> {
  const app = await startServer({ files: { a: 'A' } })
  const names = Array.from({ length: count }, (_, n) => encodeName(`ä name of a file with its number ${n}`))
  const files = encodeURIComponent(['a', ...names].join(','))
  const head = `Host: h\r\nX-Auth: ${app.token}\r\nConnection: close\r\n\r\n`
  const { port } = new URL(app.url)
  const response = await converse(Number(port), `GET /api/raw/?files=${files} HTTP/1.1\r\n${head}`, 10_000)
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1])
}

async function describeFile(file: string, sizeBytes: number): Promise<unknown> {
  const app = await startServer({ files: { [file]: 'text\n' } })
  await truncate(path.join(app.disk, file), sizeBytes)
  const response = await app.call('resources.get', { path: `/${file}` })
  const { size, content } = (await response.json()) as { size: number; content?: string }
  return [response.status, size, content?.length]
}

async function subtitle(file: string, sizeBytes: number): Promise<number> {
  const app = await startServer({ files: { [file]: '1\n00:00:01,000 --> 00:00:02,000\nhello\n\n' } })
  await truncate(path.join(app.disk, file), sizeBytes)
  const response = await app.call('subtitles.get', { path: `/${file}` })
  await response.arrayBuffer()
  return response.status
}

async function searchWithQueryBytes(bytes: number): Promise<number> {
  const app = await startServer()
  return (await app.call('search.get', { path: '/', query: { query: 'x'.repeat(bytes) } })).status
}

/** Requests an archive of `count` short names. Returns the status of the response. */
async function archiveOfNames(count: number): Promise<number> {
  const app = await startServer({ files: { a: 'A' } })
  const files = Array.from({ length: count }, (_, n) => n.toString(36)).join(',')
  return app.rawStatus('HEAD', `/api/raw/?files=${files}`)
}

/** Creates a file with an `X-Origin` header. Returns the status of the response. */
async function createWithOrigin(origin: string): Promise<number> {
  const app = await startServer()
  const headers = { 'x-origin': origin }
  return (await app.call('resources.create', { path: '/a', body: 'A', headers })).status
}

export const requestLimitTests: readonly LimitTestCase[] = [
  {
    limit: 'an X-Origin header has at most 64 characters',
    limitNames: ['originCharacters'],
    below: () => createWithOrigin('x'.repeat(64)),
    beyond: () => createWithOrigin('x'.repeat(65)),
    expected: [200, 400],
  },
  {
    limit: 'a search query has at most 4096 bytes',
    limitNames: ['searchQueryBytes'],
    below: () => searchWithQueryBytes(4096),
    beyond: () => searchWithQueryBytes(4097),
    expected: [200, 400],
  },
  {
    limit: 'an archive request names at most 10,000 entries',
    limitNames: ['archiveNames'],
    below: () => archiveOfNames(10_000),
    beyond: () => archiveOfNames(10_001),
    expected: [200, 400],
  },
  {
    limit: 'a JSON body has at most 1 MiB',
    limitNames: ['jsonBodyBytes'],
    below: () => updateWithBodySize(1024 * 1024),
    beyond: () => updateWithBodySize(1024 * 1024 + 1),
    expected: [200, 413],
  },
  {
    limit: 'the body of a login has at most 16 kB',
    limitNames: ['loginBodyBytes'],
    below: () => loginWithBodySize('login', 16 * 1024),
    beyond: () => loginWithBodySize('login', 16 * 1024 + 1),
    expected: [403, 413],
  },
  {
    limit: 'the body of a signup has at most 16 kB',
    below: () => loginWithBodySize('signup', 16 * 1024),
    beyond: () => loginWithBodySize('signup', 16 * 1024 + 1),
    expected: [400, 413],
  },
  {
    limit: 'JSON is nested at most 32 levels deep',
    limitNames: ['jsonDepth'],
    below: () => updateWithBody(nested(31)),
    beyond: () => updateWithBody(nested(32)),
    expected: [200, 400],
  },
  {
    limit: 'compressed bodies are refused',
    below: () => updateWithBody('1', { 'content-encoding': 'identity' }),
    beyond: () => updateWithBody('1', { 'content-encoding': 'gzip' }),
    expected: [200, 415],
  },
  {
    limit: 'a password has at most 1024 bytes',
    limitNames: ['passwordBytes'],
    below: () => signUpWithPassword(passwordOf(1024)),
    beyond: () => signUpWithPassword(passwordOf(1025)),
    expected: [200, 400],
  },
  {
    limit: 'a password has at least 12 characters',
    limitNames: ['minimumPasswordLength'],
    below: () => signUpWithPassword('zebra crisps'),
    beyond: () => signUpWithPassword('zebra crisp'),
    expected: [200, 400],
  },
  {
    limit: 'a name has at most 255 bytes',
    limitNames: ['nameBytes'],
    below: () => statusOfPath(`/${encodeURIComponent(`${'ä'.repeat(127)}x`)}`),
    beyond: () => statusOfPath(`/${encodeURIComponent('ä'.repeat(128))}`),
    expected: [404, 400],
  },
  {
    limit: 'the name in a destination has at most 255 bytes',
    below: () => renameTo('x'.repeat(255)),
    beyond: () => renameTo('x'.repeat(256)),
    expected: [200, 400],
  },
  {
    limit: 'a path has at most 4096 bytes',
    limitNames: ['pathBytes'],
    below: () => statusOfPath(pathOf(4094)),
    beyond: () => statusOfPath(pathOf(4098)),
    expected: [404, 400],
  },
  {
    limit: 'a path has at most 1024 segments',
    limitNames: ['pathSegments'],
    below: () => statusOfPath('/x'.repeat(1024)),
    beyond: () => statusOfPath('/x'.repeat(1025)),
    expected: [404, 400],
  },
  {
    limit: 'a user has at most 1000 rules',
    limitNames: ['rules'],
    below: () => withRules(1000, 8),
    beyond: () => withRules(1001, 8),
    expected: [200, 400],
  },
  {
    limit: 'a rule has at most 1 kB',
    limitNames: ['ruleBytes'],
    below: () => withRules(1, 1024),
    beyond: () => withRules(1, 1025),
    expected: [200, 400],
  },
  {
    limit: 'the theme of the editor has at most 256 characters',
    limitNames: ['optionCharacters'],
    below: () => withField({ aceEditorTheme: 'x'.repeat(256) }),
    beyond: () => withField({ aceEditorTheme: 'x'.repeat(257) }),
    expected: [200, 400],
  },
  {
    limit: 'the folder of a user has at most 4096 characters',
    below: () => withField({ scope: `/${'x'.repeat(4095)}` }),
    beyond: () => withField({ scope: `/${'x'.repeat(4096)}` }),
    expected: [200, 400],
  },
  {
    limit: 'a user has at most 1000 commands',
    limitNames: ['listedWords'],
    below: () => withField({ commands: Array.from({ length: 1000 }, () => 'ls') }),
    beyond: () => withField({ commands: Array.from({ length: 1001 }, () => 'ls') }),
    expected: [200, 400],
  },
  {
    limit: 'the commands of a user have at most 32 KiB as JSON',
    limitNames: ['wordsBytes', 'tokenCharacters'],
    below: () => withField({ commands: wordsOf(32 * 1024) }),
    beyond: () => withField({ commands: wordsOf(32 * 1024 + 1) }),
    expected: [200, 400],
  },
  {
    limit: 'an expression has at most 2000 steps when its repetitions are expanded',
    limitNames: ['ruleSteps'],
    below: () => withRegexes(1, 'a{1000}b{1000}'),
    beyond: () => withRegexes(1, 'a{1000}b{1000}c'),
    expected: [200, 400],
  },
  {
    limit: 'all expressions of a rule list have at most 100,000 steps together',
    limitNames: ['rulesSteps'],
    below: () => withRegexes(1000, 'a{100}'),
    beyond: () => withRegexes(1000, 'a{101}'),
    expected: [200, 400],
  },
  {
    limit: 'a list of files is limited by the size of the request head',
    below: () => archiveOf(200),
    beyond: () => archiveOf(6000),
    expected: [200, 431],
  },
  {
    limit: 'the description of a text file contains its content up to 10 MiB',
    limitNames: ['textContentBytes'],
    below: () => describeFile('a.txt', 10 * 1024 * 1024),
    beyond: () => describeFile('a.txt', 10 * 1024 * 1024 + 1),
    expected: [
      [200, 10 * 1024 * 1024, 10 * 1024 * 1024],
      [200, 10 * 1024 * 1024 + 1, undefined],
    ],
  },
  ...['a.vtt', 'a.srt'].map((file): LimitTestCase => ({
    limit: `a subtitle file has at most 10 MiB: ${file}`,
    limitNames: ['subtitleBytes'],
    below: () => subtitle(file, 10 * 1024 * 1024),
    beyond: () => subtitle(file, 10 * 1024 * 1024 + 1),
    expected: [200, 413],
  })),
]
