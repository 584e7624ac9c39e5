import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { share } from '../kit/share.ts'
import { openApp, treeOf, type App, type Person } from '../kit/start-app.ts'
import { makeTree, type Tree } from '../kit/tree.ts'
import type { Answer } from './description.ts'
import { onePoint } from './samples.ts'
import { sendAsIs, type AsIs } from './send-as-is.ts'

/** In the name of everything that Ann may not know of, and in all that it holds. */
export const mark = '9d41'
export const secret = `what-${mark}-says`
/** The folder that rules deny her, beside the one that she may see. */
export const denied = `denied-${mark}`
/** Beside her scope; its name begins like that of the scope. */
export const sibling = `home-${mark}`

const subtitle = `1\n00:00:01,000 --> 00:00:02,000\n${secret}\n`
const kept: Tree = {
  'a.txt': secret,
  'a.srt': subtitle,
  'a.png': onePoint,
  deep: { [`${mark}.txt`]: secret },
}

/** Links in a folder of the scope, to everything that they may not lead to. */
const links = (outside: string): Tree => ({
  'to-denied': { link: `../${denied}` },
  'to-file': { link: `../${denied}/a.txt` },
  'to-dot': { link: `../docs/.dot-${mark}` },
  'to-sibling': { link: `../../${sibling}` },
  'to-above': { link: '../..' },
  'to-outside': { link: outside },
})

/** Those links. */
export const linkNames = Object.keys(links(''))

const home = (outside: string): Tree => ({
  docs: {
    'a.txt': 'A',
    'b.txt': 'B',
    'film.mp4': 'film',
    'film.srt': '1\n00:00:01,000 --> 00:00:02,000\nhello\n',
    [`film.${mark}.srt`]: subtitle,
    [`file-${mark}.txt`]: secret,
    [`.dot-${mark}`]: secret,
    subs: { [`own-${mark}.srt`]: subtitle, 'own.srt': 'own' },
    ...links(outside),
  },
  links: { 'a.txt': 'A', ...links(outside) },
  [denied]: kept,
})

const rule = (path: string) => ({ regex: false, allow: false, path, regexp: null })

/** What Ann has shared: a folder, all of her scope, and one file. */
export type Shared = 'docs' | 'all' | 'file'

export type HiddenWorld = {
  readonly app: App
  /** Sees everything, and is nobody's owner. */
  readonly ada: Person
  /** Has Ann's scope, no rules, and two commands. */
  readonly bea: Person
  /** Ann's links, by what they share. */
  readonly hashes: Readonly<Record<Shared, string>>
  /** As Ann, or as a guest with a null token; nothing in the request is put right. */
  send(sent: Omit<AsIs, 'headers'> & Partial<AsIs> & { readonly token?: null }): Promise<Answer>
  tree(): Promise<{ inside: Tree; outside: Tree }>
  close(): Promise<void>
}

/** Ann sees part of a folder that is part of the volume; all that she does not see bears the mark. */
export async function openHiddenWorld(): Promise<HiddenWorld> {
  const outside = await mkdtemp(path.join(tmpdir(), `stowage-outside-${mark}-`))
  await makeTree(outside, kept)
  const app = await openApp({
    files: { home: home(outside), [sibling]: kept },
    user: {
      scope: '/home',
      hideDotfiles: true,
      rules: [
        rule(`/${denied}`),
        rule(`/docs/file-${mark}.txt`),
        { regex: true, allow: false, path: '', regexp: { raw: `-${mark}\\.srt$` } },
        { regex: true, allow: false, path: '', regexp: { raw: `^/docs/film\\.${mark}` } },
      ],
    },
    people: { ada: { perm: { admin: true } }, bea: { scope: '/home', commands: ['ls', 'cat'] } },
    config: { disableExec: false, unsafeExec: true },
  })
  const hashes = {
    docs: (await share(app, '/docs')).hash,
    all: (await share(app, '/')).hash,
    file: (await share(app, '/docs/a.txt')).hash,
  }
  return {
    app,
    ada: await app.signIn('ada'),
    bea: await app.signIn('bea'),
    hashes,
    send: ({ token = app.token, headers = {}, ...sent }) =>
      sendAsIs(app.url, { ...sent, headers: { ...(token === null ? {} : { 'x-auth': token }), ...headers } }),
    tree: async () => ({ inside: await treeOf(app.disk), outside: await treeOf(outside) }),
    async close() {
      await app.close()
      await rm(outside, { recursive: true, force: true })
    },
  }
}

/** Nothing that Ann may not know of is told, neither a name nor what is in it. */
export function expectSilence({ headers, text }: Answer): void {
  expect(`${JSON.stringify(headers)}\n${text}`).not.toContain(mark)
}

/** What is left of an answer to tell two of them apart by. */
export function tellingOf({ status, headers, text }: Answer) {
  const ofTheMoment = ['date', 'connection', 'keep-alive', 'x-request-id', 'transfer-encoding']
  const telling = Object.entries(headers).filter(([name]) => !ofTheMoment.includes(name))
  return { status, text, headers: Object.fromEntries(telling) }
}
