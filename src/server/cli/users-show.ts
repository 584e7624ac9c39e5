import { userTable } from './user-table.ts'
import type { Verb } from './verb.ts'
import { whichUser } from './which-user.ts'

export const usersList: Verb = {
  name: 'users ls',
  takes: [],
  meaning: 'Shows all users.',
  options: [],
  on: 'database',
  run: async ({ records, print }) => print(userTable(await records.users.list())),
}

export const usersFind: Verb = {
  name: 'users find',
  takes: ['WHO'],
  meaning: 'Shows a user, by id or name.',
  options: [],
  on: 'database',
  run: async ({ records, words, print }) =>
    print(userTable([await whichUser(records.users, words[0] ?? '')])),
}

export const usersRemove: Verb = {
  name: 'users rm',
  takes: ['WHO'],
  meaning: 'Removes a user, by id or name. Files are kept.',
  options: [],
  on: 'database',
  async run({ records, words, print }) {
    const user = await whichUser(records.users, words[0] ?? '')
    await records.users.remove(user.id)
    print(`user ${user.username} is removed`)
  },
}
