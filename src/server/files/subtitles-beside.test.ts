import { expect, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'

async function subtitlesOf(files: Parameters<typeof startApp>[0], asked: string): Promise<unknown> {
  const app = await startApp(files)
  return ((await (await app.call('resources.get', { path: asked })).json()) as Record<string, unknown>)[
    'subtitles'
  ]
}

test('a film names its subtitles: beside it, and in folders for them (contract 3.5)', async () => {
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

test('a film without subtitles has none, and other files are not asked (contract 3.5)', async () => {
  const files = { 'm.mkv': '', 'a.txt': 'A', 'a.vtt': '' }
  expect(await subtitlesOf({ files }, '/m.mkv')).toBeUndefined()
  expect(await subtitlesOf({ files }, '/a.txt')).toBeUndefined()
})
