import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { share } from '../kit/share.ts'
import { openApp, treeOf, type TestApp, type SignedInUser } from '../kit/start-app.ts'
import { makeTree, type FileTree } from '../kit/tree.ts'
import type { ReceivedResponse } from './description.ts'
import { onePixelPng } from './samples.ts'
import { sendAsIs, type RawRequest } from './send-as-is.ts'

/**
 * A string in the name or the content of every entry that is hidden from Ann. A response that contains the string
 * reveals a hidden entry.
 */
export const mark = '9d41'
export const secret = `what-${mark}-says`
/** The name of a folder to which a rule denies Ann access. It is beside a folder that she may see. */
export const denied = `denied-${mark}`
/** A folder beside Ann's scope whose name begins with the name of the scope. */
export const sibling = `home-${mark}`

const subtitle = `1\n00:00:01,000 --> 00:00:02,000\n${secret}\n`
const hiddenFiles: FileTree = {
  'a.txt': secret,
  'a.srt': subtitle,
  'a.png': onePixelPng,
  deep: { [`${mark}.txt`]: secret },
}

/** Symbolic links in a folder of the scope whose targets must not be accessible. */
const links = (outside: string): FileTree => ({
  'to-denied': { link: `../${denied}` },
  'to-file': { link: `../${denied}/a.txt` },
  'to-dot': { link: `../docs/.dot-${mark}` },
  'to-sibling': { link: `../../${sibling}` },
  'to-above': { link: '../..' },
  'to-outside': { link: outside },
})

/** The names of the symbolic links to inaccessible targets. */
export const linkNames = Object.keys(links(''))

const home = (outside: string): FileTree => ({
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
  [denied]: hiddenFiles,
})

const denyRule = (path: string) => ({ regex: false, allow: false, path, regexp: null })

/** Ann's shares: a folder, her whole scope, and one file. */
export type TestShareName = 'docs' | 'all' | 'file'

export type HiddenPathsContext = {
  readonly app: TestApp
  /** A user who may access the whole volume and has no shares. */
  readonly ada: SignedInUser
  /** A user with Ann's scope, no rules, and two permitted commands. */
  readonly bea: SignedInUser
  /** The hashes of Ann's shares, keyed by the name of the share. */
  readonly hashes: Readonly<Record<TestShareName, string>>
  /**
   * Sends a request without changing any part of it. The request is sent as Ann, or as a guest when the token is null.
   */
  send(
    sent: Omit<RawRequest, 'headers'> & Partial<RawRequest> & { readonly token?: null },
  ): Promise<ReceivedResponse>
  tree(): Promise<{ inside: FileTree; outside: FileTree }>
  close(): Promise<void>
}

/**
 * Starts a server on which Ann's scope is a part of the volume, and rules hide a part of the scope. Every hidden entry
 * contains the mark.
 */
export async function openHiddenPathsContext(): Promise<HiddenPathsContext> {
  const outside = await mkdtemp(path.join(tmpdir(), `stowage-outside-${mark}-`))
  await makeTree(outside, hiddenFiles)
  const app = await openApp({
    files: { home: home(outside), [sibling]: hiddenFiles },
    user: {
      scope: '/home',
      hideDotfiles: true,
      rules: [
        denyRule(`/${denied}`),
        denyRule(`/docs/file-${mark}.txt`),
        { regex: true, allow: false, path: '', regexp: { raw: `-${mark}\\.srt$` } },
        { regex: true, allow: false, path: '', regexp: { raw: `^/docs/film\\.${mark}` } },
      ],
    },
    users: { ada: { perm: { admin: true } }, bea: { scope: '/home', commands: ['ls', 'cat'] } },
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

/** Asserts that a response does not contain the name or the content of a hidden entry. */
export function expectNoLeak({ headers, text }: ReceivedResponse): void {
  expect(`${JSON.stringify(headers)}\n${text}`).not.toContain(mark)
}

/** Returns the parts of a response that a client could use to distinguish two responses. */
export function comparablePartsOf({ status, headers, text }: ReceivedResponse) {
  const volatileHeaders = ['date', 'connection', 'keep-alive', 'x-request-id', 'transfer-encoding']
  const stableHeaders = Object.entries(headers).filter(([name]) => !volatileHeaders.includes(name))
  return { status, text, headers: Object.fromEntries(stableHeaders) }
}
