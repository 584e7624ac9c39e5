import { expect, test } from 'vitest'
import type { FileResource, FolderResource } from '../../shared/contract/resources.ts'
import { share, requestAsGuest } from '../../../test/kit/share.ts'
import { startApp } from '../../../test/kit/start-app.ts'

async function subtitlesOf(files: Parameters<typeof startApp>[0], target: string): Promise<unknown> {
  const app = await startApp(files)
  return ((await (await app.call('resources.get', { path: target })).json()) as Record<string, unknown>)[
    'subtitles'
  ]
}

test('the response for a film contains its subtitles from its own folder and from folders for subtitles (contract 3.5)', async () => {
  const files = {
    films: {
      'm.mkv': '',
      'm.vtt': '',
      'm.en.SRT': '',
      'm.txt': '',
      'other.vtt': '',
      'm.folder.vtt': {},
      Subs: { 'any.ass': '', m: { 'deep.ssa': '' }, other: { 'not.vtt': '' } },
      denied: {},
      'm.secret.vtt': '',
    },
  }
  const rules = [{ regex: false, allow: false, path: '/films/m.secret.vtt', regexp: null }]
  expect(await subtitlesOf({ files, user: { rules } }, '/films/m.mkv')).toEqual([
    '/films/m.en.SRT',
    '/films/m.vtt',
    '/films/Subs/any.ass',
    '/films/Subs/m/deep.ssa',
  ])
})

test('a film does not take the subtitles of another one whose number begins with the same digits (contract T18)', async () => {
  const files = {
    'Movie 1.mkv': '',
    'Movie 1.vtt': '',
    'Movie 1 (en).srt': '',
    'Movie 1_de.vtt': '',
    'Movie 10.vtt': '',
    'Movie 1ä.vtt': '',
    subs: { 'Movie 10': { 'deep.vtt': '' }, 'Movie 1': { 'own.vtt': '' } },
  }
  expect(await subtitlesOf({ files }, '/Movie 1.mkv')).toEqual([
    '/Movie 1 (en).srt',
    '/Movie 1.vtt',
    '/Movie 1_de.vtt',
    '/subs/Movie 1/own.vtt',
  ])
})

test('a film without subtitles has none, and other files are not requested (contract 3.5)', async () => {
  const files = { 'm.mkv': '', 'a.txt': 'A', 'a.vtt': '' }
  expect(await subtitlesOf({ files }, '/m.mkv')).toBeUndefined()
  expect(await subtitlesOf({ files }, '/a.txt')).toBeUndefined()
})

const inListing = async (request: Parameters<typeof startApp>[0], target: string) => {
  const app = await startApp(request)
  const { items } = (await (await app.call('resources.get', { path: target })).json()) as FolderResource
  return Object.fromEntries(
    items.flatMap(({ name, subtitles }) => (subtitles === undefined ? [] : [[name, subtitles]])),
  )
}

test('in a listing each film has its own subtitles, and no other file has any (contract 3.5)', async () => {
  const films = {
    'a.mkv': '',
    'b "quoted".mp4': '',
    'c.mp4': '',
    'a.vtt': '',
    'a.en.srt': '',
    'b "quoted".vtt': '',
    'z.txt': 'z',
    subs: { 'all.ass': '', 'a.extra': { 'deep.vtt': '' } },
  }
  expect(await inListing({ files: { films } }, '/films')).toEqual({
    'a.mkv': ['/films/a.en.srt', '/films/a.vtt', '/films/subs/all.ass', '/films/subs/a.extra/deep.vtt'],
    'b "quoted".mp4': ['/films/b "quoted".vtt', '/films/subs/all.ass'],
    'c.mp4': ['/films/subs/all.ass'],
  })
})

test('a film at the start of a large folder gets its subtitles from the end, and all rows keep their order', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 6000 }, (_, at) => [`m${String(at).padStart(4, '0')}.txt`, '']),
  )
  const files = { 'a.mp4': '', ...many, 'z.mp4': '', 'a.vtt': '', 'z.vtt': '' }
  const app = await startApp({ files, user: { sorting: { by: 'name', asc: false } } })
  const { items } = (await (await app.call('resources.get')).json()) as FolderResource
  expect(items.map(({ name }) => name)).toEqual(Object.keys(files).toSorted())
  expect([items[0]?.subtitles, items.at(-2)?.subtitles]).toEqual([['/a.vtt'], ['/z.vtt']])
})

test('a denied subtitle is in no listing, and a film has at most a hundred subtitles', async () => {
  const rules = [{ regex: false, allow: false, path: '/a.secret.vtt', regexp: null }]
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`b.${at}.vtt`, '']))
  const files = { 'a.mkv': '', 'a.secret.vtt': '', 'b.mkv': '', ...many }
  const found = await inListing({ files, user: { rules } }, '/')
  expect(Object.keys(found)).toEqual(['b.mkv'])
  expect(found['b.mkv']).toHaveLength(100)
})

test('a subtitle that a rule hides is not served, also through a link', async () => {
  const rules = [{ regex: true, allow: false, path: '', regexp: { raw: 'secret.*[.]srt$' } }]
  const text = '1\n00:00:01,000 --> 00:00:02,000\nhidden\n'
  const files = { 'a.mkv': '', 'a.srt': { link: 'a.secret.srt' }, 'a.secret.srt': text, 'a.en.srt': text }
  const app = await startApp({ files, user: { rules } })
  const film = (await (await app.call('resources.get', { path: '/a.mkv' })).json()) as FileResource
  expect(film.subtitles).toEqual(['/a.en.srt'])
  const statusOf = async (path: string) => (await app.call('subtitles.get', { path })).status
  expect([await statusOf('/a.en.srt'), await statusOf('/a.secret.srt'), await statusOf('/a.srt')]).toEqual([
    200, 403, 403,
  ])
})

test('the row stream and responses to guests contain no subtitles', async () => {
  const app = await startApp({ files: { films: { 'a.mkv': '', 'a.vtt': '' } } })
  const rows = await app.call('resources.get', {
    path: '/films',
    headers: { accept: 'application/x-ndjson' },
  })
  expect(await rows.text()).not.toContain('subtitles')
  const { hash } = await share(app, '/films')
  expect(await (await requestAsGuest(app, 'share', hash)).text()).not.toContain('subtitles')
})
