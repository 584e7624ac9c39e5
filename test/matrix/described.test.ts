import { expect, test } from 'vitest'
import { routes, type RouteName } from '../../src/shared/contract/routes.ts'
import { receptionIdOf } from '../kit/share.ts'
import { startApp, type TestApp, type SignedInUser } from '../kit/start-app.ts'
import { descriptionOf, type ApiDescriptionCheck } from './description.ts'
import { sharePassword } from './generated-requests.ts'
import { oneFileTar, onePixelPng } from './samples.ts'

type DescribedCall = Parameters<SignedInUser['call']>[1] & { readonly token?: null }
type CallStep = readonly [by: string, name: RouteName, options: DescribedCall, status: number]

const files = {
  docs: {
    'dot.png': onePixelPng,
    'a.txt': 'hello',
    'a.srt': '1\n00:00:01,000 --> 00:00:02,000\nhello\n',
    'film.mp4': 'film',
  },
  'dot.png': onePixelPng,
  'broken.png': 'no picture',
  'in.tar': oneFileTar,
}
const offset = (offsetBytes: number) => ({
  'content-type': 'application/offset+octet-stream',
  'upload-offset': `${offsetBytes}`,
})
const rows = { accept: 'application/x-ndjson' }
const text = '/docs/a.txt'

const readCalls: readonly CallStep[] = [
  ['ann', 'resources.get', { path: '/docs/' }, 200],
  ['ann', 'resources.get', { path: '/docs/', query: { describe: 'true' } }, 200],
  ['ann', 'resources.get', { path: '/docs/', headers: rows }, 200],
  ['ann', 'resources.get', { path: text, query: { checksum: 'md5' } }, 200],
  ['ann', 'resources.get', { path: '/dot.png' }, 200],
  ['ann', 'resources.get', { path: '/docs/film.mp4' }, 200],
  ['ann', 'resources.get', { path: text, headers: { 'x-encoding': 'true' } }, 200],
  ['ann', 'resources.get', { path: text, headers: { 'x-encoding': 'true', range: 'bytes=1-' } }, 206],
  ['ann', 'resources.recursive', { path: '/' }, 200],
  ['ann', 'raw.get', { path: text, query: { inline: 'true' } }, 200],
  ['ann', 'raw.get', { path: '/docs', query: { algo: 'tar' } }, 200],
  ['ann', 'raw.get', { path: text, headers: { range: 'bytes=0-0,2-2' } }, 206],
  ['ann', 'raw.get', { path: text, headers: { range: 'bytes=99-' } }, 416],
  ['ann', 'raw.get', { path: text, headers: { 'if-none-match': '*' } }, 304],
  ['ann', 'raw.get', { path: text, headers: { 'if-match': '"other"' } }, 412],
  ['ann', 'archives.list', { path: '/in.tar' }, 200],
  ['ann', 'archives.list', { path: text }, 415],
  ['ann', 'archives.member', { path: '/in.tar', query: { member: 'in.txt' } }, 200],
  ['ann', 'archives.member', { path: '/in.tar', query: { member: 'none.txt' } }, 404],
  ['ann', 'preview.get', { path: '/dot.png', size: 'thumb' }, 200],
  ['ann', 'preview.get', { path: '/dot.png', size: 'big', headers: { accept: 'image/webp' } }, 200],
  ['ann', 'preview.get', { path: '/broken.png', size: 'thumb' }, 422],
  ['ann', 'preview.get', { path: '/docs', size: 'thumb' }, 501],
  ['ann', 'preview.taken', { path: '/docs' }, 200],
  ['ann', 'preview.taken', { path: '/dot.png' }, 200],
  ['ann', 'preview.taken', { path: '/', query: { sizes: 'true' } }, 200],
  ['ann', 'subtitles.get', { path: '/docs/a.srt' }, 200],
  ['ann', 'search.get', { path: '/', query: { query: 'a' } }, 200],
  ['ann', 'search.get', { path: '/', query: { query: 'a' }, headers: rows }, 200],
  ['ann', 'search.get', { path: '/', query: { query: 'a', ignoreAccents: 'true' } }, 200],
  ['ann', 'search.get', { path: '/', query: { query: 'a b', allTerms: 'true' } }, 200],
  ['ann', 'search.get', { path: '/', query: { query: 'a', abbreviations: 'true' } }, 200],
  ['ann', 'usage.get', { path: '/' }, 200],
  ['ann', 'du.get', { path: '/' }, 200],
  ['ann', 'health.get', {}, 200],
  ['ann', 'metrics.get', {}, 404],
  ['ann', 'metrics.get', { headers: { authorization: 'Bearer a-token-of-16-signs' } }, 200],
  ['ann', 'openapi.get', {}, 200],
]

const changeCalls: readonly CallStep[] = [
  ['ann', 'archives.extract', { path: '/in.tar' }, 200],
  ['ann', 'archives.extract', { path: '/in.tar', query: { destination: text } }, 404],
  ['ann', 'archives.create', { path: '/new.tar', json: { folder: '/docs', names: ['a.txt'] } }, 200],
  ['ann', 'archives.create', { path: '/new.tar', json: { folder: '/docs', names: ['a.txt'] } }, 409],
  ['ann', 'tickets.create', { json: { path: text, kind: 'raw' } }, 200],
  ['ann', 'tus.begin', { path: '/big', headers: { 'upload-length': '3' } }, 201],
  ['ann', 'tus.continue', { path: '/big', headers: offset(1), body: 'x' }, 409],
  ['ann', 'tus.continue', { path: '/big', headers: offset(0), body: 'x' }, 204],
  ['ann', 'tus.show', { path: '/big' }, 200],
  ['ann', 'tus.continue', { path: '/big', headers: offset(1), body: 'xxx' }, 413],
  ['ann', 'tus.continue', { path: '/big', headers: { 'upload-offset': '1' }, body: 'x' }, 415],
  ['ann', 'tus.abort', { path: '/big' }, 204],
  ['ann', 'resources.create', { path: '/new.txt', body: 'new' }, 200],
  ['ann', 'resources.create', { path: '/new.txt', body: 'new' }, 409],
  ['ann', 'resources.save', { path: '/new.txt', body: 'newer' }, 200],
  ['ann', 'resources.save', { path: '/new.txt', body: 'x', headers: { 'if-match': '"other"' } }, 412],
  ['ann', 'resources.save', { path: '/docs', body: 'x' }, 405],
  [
    'ann',
    'resources.transfer',
    { path: '/new.txt', query: { action: 'rename', destination: '/old.txt' } },
    200,
  ],
  ['ann', 'resources.remove', { path: '/old.txt' }, 200],
]

const shareCalls: readonly CallStep[] = [
  ['ann', 'shares.create', { path: '/docs', json: { password: sharePassword } }, 200],
  ['ann', 'shares.list', {}, 200],
  ['ann', 'shares.get', { path: '/docs' }, 200],
  ['ann', 'shares.update', { path: '/HASH', json: { expires: '1', mode: 'view-only' } }, 200],
  ['ann', 'shares.update', { path: '/unknown', json: {} }, 404],
  ['ann', 'public.show', { path: '/HASH' }, 401],
  ['ann', 'public.show', { path: '/HASH', headers: { 'x-share-password': sharePassword } }, 200],
  ['ann', 'public.show', { path: '/HASH', headers: { 'x-share-password': sharePassword, ...rows } }, 200],
  ['ann', 'public.download', { path: '/HASH/a.txt' }, 401],
  [
    'ann',
    'public.download',
    {
      path: '/HASH/a.txt',
      query: { inline: 'true' },
      headers: { 'x-share-password': sharePassword, range: 'bytes=99-' },
    },
    416,
  ],
  ['ann', 'public.download', { path: '/HASH', headers: { 'x-share-password': sharePassword } }, 403],
  ['ann', 'shares.update', { path: '/HASH', json: { mode: 'download' } }, 200],
  ['ann', 'public.download', { path: '/HASH', headers: { 'x-share-password': sharePassword } }, 200],
  ['ann', 'public.preview', { path: '/HASH/dot.png', size: 'thumb' }, 401],
  [
    'ann',
    'public.preview',
    { path: '/HASH/a.txt', size: 'thumb', headers: { 'x-share-password': sharePassword } },
    501,
  ],
  [
    'ann',
    'public.preview',
    { path: '/HASH/dot.png', size: 'thumb', headers: { 'x-share-password': sharePassword } },
    200,
  ],
  ['ann', 'public.taken', { path: '/HASH' }, 401],
  ['ann', 'public.taken', { path: '/HASH', headers: { 'x-share-password': sharePassword } }, 200],
  ...Array.from({ length: 5 }, (): CallStep => [
    'ann',
    'public.show',
    { path: '/HASH', headers: { 'x-share-password': 'wrong' } },
    401,
  ]),
  ['ann', 'public.show', { path: '/HASH', headers: { 'x-share-password': 'wrong' } }, 429],
  ['ann', 'public.download', { path: '/HASH', headers: { 'x-share-password': 'wrong' } }, 429],
  [
    'ann',
    'shares.update',
    { path: '/HASH', json: { mode: 'upload-only', password: '', maxFiles: 1, senderName: 'Ann' } },
    200,
  ],
  ['ann', 'shares.list', {}, 200],
  ['ann', 'public.show', { path: '/HASH' }, 200],
  ['ann', 'public.show', { path: '/HASH/a.txt' }, 403],
  ['ann', 'public.drop', { path: '/HASH/new/deep', body: 'x' }, 400],
  ['ann', 'shares.end-reception', { path: '/HASH/RECEPTION' }, 200],
  ['ann', 'shares.end-reception', { path: '/HASH/none' }, 404],
  ['ann', 'public.drop', { path: '/HASH/a.txt', body: 'x' }, 200],
  ['ann', 'public.drop', { path: '/HASH/a.txt', body: 'x' }, 507],
  ['ann', 'shares.received', { path: '/HASH' }, 200],
  ['ann', 'shares.received', { path: '/unknown' }, 404],
  ['ann', 'shares.remove', { path: '/HASH' }, 200],
]

const newcomer = { username: 'newcomer', password: 'a newcomer has one' }
const signup = (username: string) => ({ json: { ...newcomer, username } })

const userCalls: readonly CallStep[] = [
  ['ada', 'users.list', {}, 200],
  ['ada', 'users.get', { id: 1 }, 200],
  ['ada', 'users.create', { json: { what: 'user', which: [], data: newcomer } }, 201],
  ['ada', 'users.create', { json: { what: 'user', which: [], data: newcomer } }, 409],
  [
    'ann',
    'users.update',
    { id: 1, json: { what: 'user', which: ['locale'], data: { id: 1, locale: 'de' } } },
    200,
  ],
  [
    'ada',
    'users.update',
    { id: 1, json: { what: 'user', which: ['username'], data: { id: 1, username: 'ada' } } },
    409,
  ],
  ['ada', 'users.explain', { id: 1, json: { operation: 'view', path: '/docs/a.txt' } }, 200],
  ['ada', 'users.explain', { id: 99, json: { operation: 'view', path: '/docs' } }, 404],
  ['ada', 'rules.check', { json: { rules: [], path: '/docs' } }, 200],
  ['ada', 'sessions.list-of', { id: 1 }, 200],
  ['ada', 'sessions.list-of', { id: 99 }, 404],
  ['ada', 'sessions.end-of', { id: 3 }, 200],
  ['ada', 'sessions.end-of', { id: 3, json: { ids: ['none'] } }, 404],
  ['ada', 'users.remove', { id: 3 }, 200],
  ['ada', 'settings.get', {}, 200],
  ['ada', 'settings.options', {}, 200],
  ['ada', 'settings.has-logo', {}, 200],
  ['ada', 'settings.set-logo', { body: '<svg></svg>' }, 200],
  ['ada', 'settings.set-logo', { body: 'text' }, 415],
  ['ada', 'settings.remove-logo', {}, 200],
  ['ada', 'takeover.get', {}, 200],
  ['ada', 'doctor.echo', { query: { fill: 'xx', headerBytes: '10' } }, 200],
  ['ada', 'doctor.receive', { body: 'thrown away' }, 200],
  ['ada', 'doctor.stream', { query: { lines: '2' } }, 200],
  ['ada', 'overview.get', {}, 200],
  ['ada', 'hooks.list', {}, 200],
  ['ada', 'hooks.try', { json: { event: 'after_save', line: 'true' } }, 200],
  ['ada', 'doctor.file', {}, 200],
  ['ada', 'doctor.file', { headers: { range: 'bytes=0-6' } }, 206],
  ['ada', 'audit.list', { query: { limit: '10', outcome: 'failed' } }, 200],
  ['ada', 'audit.list', { query: { from: 'now' } }, 400],
  ['ada', 'audit.export', {}, 200],
  ['ada', 'audit.export', { query: { format: 'jsonl' } }, 200],
  ['ann', 'sessions.signup', signup('early'), 405],
  ['ada', 'settings.update', { json: { signup: true } }, 200],
  ['ann', 'sessions.signup', signup('ann'), 409],
  ['ann', 'sessions.signup', signup('other'), 200],
  ['ann', 'sessions.login', { json: { username: 'ada', password: 'wrong' } }, 403],
  ['ann', 'sessions.login', { json: { username: 'ann', password: 'ann has a long password' } }, 200],
  ['ann', 'sessions.renew', {}, 200],
  ['ann', 'sessions.list', {}, 200],
  ['ann', 'sessions.end', { path: '/SESSION' }, 200],
  ['ann', 'sessions.end-others', {}, 200],
  ['ann', 'sessions.logout', {}, 200],
]

/**
 * Returns the path of a call, with its placeholders in capital letters replaced by values that are only known while the
 * server is running.
 */
async function fillPlaceholders(app: TestApp, { path = '' }: DescribedCall): Promise<string> {
  if (path.includes('HASH')) {
    const [{ hash } = { hash: '' }] = await app.records.shares.list({})
    const id = path.includes('RECEPTION') ? await receptionIdOf(app, hash) : ''
    return path.replace('HASH', hash).replace('RECEPTION', id)
  }
  if (!path.includes('SESSION')) return path
  const sessions = (await (await app.call('sessions.list')).json()) as { id: string; current: boolean }[]
  return path.replace('SESSION', sessions.find(({ current }) => !current)?.id ?? '')
}

type CallStepContext = {
  readonly app: TestApp
  readonly person: SignedInUser
  readonly undescribed: ApiDescriptionCheck
}

async function outcomeOf({ app, person, undescribed }: CallStepContext, [, name, options]: CallStep) {
  const path = await fillPlaceholders(app, options)
  const reply = await person.call(name, { ...options, ...(path === '' ? {} : { path }) })
  const text = Buffer.from(await reply.arrayBuffer()).toString('latin1')
  const { pathname, search } = new URL(reply.url)
  const sent = { method: routes[name].method, requestTarget: pathname + search }
  const response = { status: reply.status, headers: Object.fromEntries(reply.headers), text }
  return [name, reply.status, ...undescribed(sent, response)]
}

test.each([
  ['reads', readCalls],
  ['changes', changeCalls],
  ['shares', shareCalls],
  ['users', userCalls],
])('the responses to valid requests match the description: %s', async (_case, steps) => {
  const app = await startApp({
    files,
    config: { disableExec: false, metricsToken: 'a-token-of-16-signs' },
    users: { ada: { perm: { admin: true } }, joe: {} },
  })
  const persons = new Map<string, SignedInUser>([
    ['ann', app],
    ['ada', await app.signIn('ada')],
  ])
  const undescribed = await descriptionOf(app)
  for (const step of steps) {
    const [by, name, , status] = step
    const person = persons.get(by) ?? app
    expect(await outcomeOf({ app, person, undescribed }, step)).toEqual([name, status])
  }
})

test('every endpoint except the sockets succeeds in one of these tests', () => {
  const done = [...readCalls, ...changeCalls, ...shareCalls, ...userCalls].flatMap(([, name, , status]) =>
    status < 300 ? [name] : [],
  )
  const missing = Object.keys(routes).filter((name) => !done.includes(name as RouteName))
  expect(missing).toEqual(['command.run', 'events.open'])
})
