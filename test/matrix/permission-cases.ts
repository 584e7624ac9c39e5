import { WebSocket } from 'ws'
import type { RouteName } from '../../src/shared/contract/routes.ts'
import { runCommandLine } from '../kit/command-socket.ts'
import { share, visit } from '../kit/share.ts'
import type { Person } from '../kit/start-app.ts'
import { asking, type PermissionCase, type PermissionCaseContext } from './permission-case.ts'
import { deedsByStatus } from './permission-cases-by-status.ts'

/** Requests the description of a file as Ann. Some fields of the description require a permission. */
const described = async (
  { ann, folder }: PermissionCaseContext,
  path: string,
): Promise<Record<string, unknown>> =>
  (await (await ann.call('resources.get', { path: folder + path })).json()) as Record<string, unknown>

const seen: readonly PermissionCase[] = [
  {
    title: 'what is in a text',
    route: 'resources.get',
    needs: ['download'],
    ask: async (scene) => (await described(scene, '/a.txt'))['content'],
    works: 'A',
    refused: undefined,
  },
  {
    title: 'the measures of an image',
    route: 'resources.get',
    needs: ['download'],
    ask: async (scene) => (await described(scene, '/dot.png'))['resolution'],
    works: { width: 1, height: 1 },
    refused: undefined,
  },
  {
    title: 'a text that is shown as one to change',
    route: 'resources.get',
    needs: ['modify'],
    ask: async (scene) => (await described(scene, '/a.txt'))['type'],
    works: 'text',
    refused: 'textImmutable',
  },
  {
    title: 'a ticket, and what it opens',
    route: 'tickets.create',
    needs: ['download'],
    async ask({ ann, folder }) {
      const json = { path: `${folder}/a.txt`, kind: 'raw' }
      const ticket = await (await ann.call('tickets.create', { json })).text()
      return (await ann.fetch(`/api/raw${folder}/a.txt?auth=${ticket}`, { token: null })).status
    },
  },
  {
    title: 'the socket of changes',
    route: 'events.open',
    needs: [],
    ask: ({ app, ann }) =>
      new Promise((resolve, reject) => {
        const headers = { 'x-auth': ann.token }
        const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/events`, { headers })
        socket.once('error', reject).once('open', () => {
          socket.close()
          resolve('open')
        })
      }),
    works: 'open',
  },
]

const length = { 'upload-length': '3' }

type UploadPartQuery = { readonly at: string; readonly over?: 'true' }

/** Returns a function that begins an upload of three bytes as Ann. */
const begun =
  ({ at, over }: UploadPartQuery) =>
  async ({ ann, folder }: PermissionCaseContext): Promise<string> => {
    const query = over === undefined ? {} : { override: over }
    await ann.call('tus.begin', { path: folder + at, headers: length, query })
    return folder + at
  }

const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }

const inParts: readonly PermissionCase[] = [
  {
    title: 'how far an upload has come',
    route: 'tus.show',
    needs: ['create'],
    before: begun({ at: '/n.txt' }),
    ask: asking('tus.show', { path: '/n.txt' }),
  },
  {
    title: 'a part of an upload',
    route: 'tus.continue',
    needs: ['create'],
    before: begun({ at: '/n.txt' }),
    ask: asking('tus.continue', { path: '/n.txt', headers: part, body: 'new' }),
    works: 204,
  },
  {
    title: 'a part of an upload over a file',
    route: 'tus.continue',
    needs: ['create', 'modify'],
    before: begun({ at: '/a.txt', over: 'true' }),
    ask: asking('tus.continue', { path: '/a.txt', headers: part, body: 'new' }),
    works: 204,
  },
  {
    title: 'the end of an upload of one’s own',
    route: 'tus.abort',
    needs: [],
    before: begun({ at: '/n.txt' }),
    ask: asking('tus.abort', { path: '/n.txt' }),
    works: 204,
  },
]

const linkOf = async (owner: Person, path: string): Promise<string> => (await share(owner, path)).hash

const shared: readonly PermissionCase[] = [
  {
    title: 'the end of a share',
    route: 'shares.remove',
    needs: ['share', 'download'],
    before: ({ ann, folder }) => linkOf(ann, `${folder}/docs`),
    ask: async ({ ann }, hash) => (await ann.call('shares.remove', { path: `/${hash}` })).status,
  },
  {
    title: "the end of somebody else's share",
    route: 'shares.remove',
    needs: ['share', 'download', 'admin'],
    before: ({ ada, folder }) => linkOf(ada, `${folder}/docs`),
    ask: async ({ ann }, hash) => (await ann.call('shares.remove', { path: `/${hash}` })).status,
  },
  {
    title: "Ann's link, as a guest sees it",
    route: 'public.show',
    needs: ['share', 'download'],
    before: ({ ann, folder }) => linkOf(ann, `${folder}/docs`),
    ask: async ({ app }, hash) => (await visit(app, 'share', `${hash}/c.txt`)).status,
  },
  {
    title: "what a guest takes by Ann's link",
    route: 'public.download',
    needs: ['share', 'download'],
    before: ({ ann, folder }) => linkOf(ann, `${folder}/docs`),
    ask: async ({ app }, hash) => (await visit(app, 'dl', hash)).status,
  },
]

const ofOthers = (route: RouteName, member: string) => async (scene: PermissionCaseContext, id: string) => {
  const json = { what: 'user', which: [member], data: { id: Number(id), [member]: true } }
  return (await scene.ann.call(route, { id: Number(id), json })).status
}

/** Creates a user that only this cell uses. */
async function newcomer({ ada, folder }: PermissionCaseContext): Promise<string> {
  const data = { username: folder.slice(1), password: 'a newcomer has one', scope: '.' }
  const reply = await ada.call('users.create', { json: { what: 'user', which: [], data } })
  return reply.headers.get('location')?.split('/').at(-1) ?? ''
}

const ownId = ({ ann }: PermissionCaseContext): Promise<string> => Promise.resolve(String(ann.user.id))

const people: readonly PermissionCase[] = [
  {
    title: 'somebody new',
    route: 'users.create',
    needs: ['admin'],
    async ask({ ann, folder }) {
      const data = { username: folder.slice(1), password: 'a newcomer has one', scope: '.' }
      return (await ann.call('users.create', { json: { what: 'user', which: [], data } })).status
    },
    works: 201,
  },
  {
    title: 'oneself',
    route: 'users.get',
    needs: [],
    ask: async ({ ann }) => (await ann.call('users.get', { id: ann.user.id })).status,
  },
  {
    title: 'somebody else',
    route: 'users.get',
    needs: ['admin'],
    ask: async ({ ann, ada }) => (await ann.call('users.get', { id: ada.user.id })).status,
  },
  {
    title: 'a change of oneself',
    route: 'users.update',
    needs: [],
    before: ownId,
    ask: ofOthers('users.update', 'singleClick'),
  },
  {
    title: 'a change of oneself that is not one’s own to make',
    route: 'users.update',
    needs: ['admin'],
    before: ownId,
    ask: ofOthers('users.update', 'lockPassword'),
  },
  {
    title: 'a change of somebody else',
    route: 'users.update',
    needs: ['admin'],
    before: newcomer,
    ask: ofOthers('users.update', 'singleClick'),
  },
  {
    title: 'the end of somebody else',
    route: 'users.remove',
    needs: ['admin'],
    before: newcomer,
    ask: async ({ ann }, id) => (await ann.call('users.remove', { id: Number(id) })).status,
  },
]

const linesOf = async (
  { app, ann, folder }: PermissionCaseContext,
  line: string,
): Promise<readonly string[]> => (await runCommandLine(app, ann, { path: folder, line })).lines

const commands: readonly PermissionCase[] = [
  {
    title: 'a command',
    route: 'command.run',
    needs: ['execute'],
    ask: (scene) => linesOf(scene, 'echo hello'),
    works: ['hello'],
    refused: ['Command not allowed.'],
  },
  {
    title: 'a command that makes a file',
    route: 'command.run',
    needs: ['execute', 'create', 'rename', 'modify', 'delete'],
    isHeldBySandbox: true,
    async ask(scene) {
      await linesOf(scene, 'touch made')
      return (await scene.ada.call('resources.get', { path: `${scene.folder}/made` })).status
    },
    works: 200,
    refused: 404,
  },
]

/** The test cases for every endpoint that requires a permission, or whose answer depends on a permission. */
export const permissionCases: readonly PermissionCase[] = [
  ...deedsByStatus,
  ...seen,
  ...inParts,
  ...shared,
  ...people,
  ...commands,
]
