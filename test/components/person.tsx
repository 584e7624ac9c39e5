import { commands } from 'vitest/browser'
import { call } from '../../src/client/api/call.ts'
import { login, type Credentials } from '../../src/client/api/session.ts'
import { userOf } from '../../src/client/state/session.ts'
import { signInOnce } from './show-file.tsx'

type Person = Credentials & { readonly id: number }

/** The users that the tests of this page have created, by name. They go with the server. */
const people = new Map<string, Promise<Person>>()

let token: Promise<string> | null = null

/** Logs an administrator in without signing this page in. Each login takes a tenth of a second of the server's processor time. */
async function administratorToken(): Promise<string> {
  const { administrator } = await commands.serverOfWorker()
  const response = await call('sessions.login', { body: { ...administrator, recaptcha: '' }, isProbe: true })
  return response.text()
}

async function create(username: string, fields: Readonly<Record<string, unknown>>): Promise<Person> {
  await signInOnce()
  token ??= administratorToken()
  const { administrator } = await commands.serverOfWorker()
  const password = `${username} has a long password`
  const { headers } = await call('users.create', {
    headers: { 'X-Auth': await token },
    body: {
      what: 'user',
      which: [],
      data: { scope: '/', locale: 'en', ...fields, username, password },
      current_password: administrator.password,
    },
  })
  return { username, password, id: Number(headers.get('Location')?.split('/').at(-1)) }
}

/** Creates a user, unless a test of this page has created one with this name. */
export function createPerson(
  username: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Person> {
  const person = people.get(username) ?? create(username, fields)
  people.set(username, person)
  return person
}

/** Creates a user as `createPerson` does, and signs this page in as this user. */
export async function becomePerson(...person: Parameters<typeof createPerson>): Promise<Person> {
  const created = await createPerson(...person)
  if (userOf()?.username !== created.username) await login(created)
  return created
}

/** Signs this page in as Ann, unless it is already. */
export async function becomeAnn(): Promise<void> {
  await signInOnce()
  const ann = await commands.serverOfWorker()
  if (userOf()?.username !== ann.username) await login(ann)
}
