import { expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import { becomePerson } from '../../../../../test/components/person.tsx'
import { showOwnSettings } from '../../../../../test/components/show-settings.tsx'
import { call, callJson } from '../../../api/call.ts'
import { notices } from '../../../state/notices.ts'
import { SessionsCard } from './sessions-card.tsx'

const rows = () => page.getByRole('listitem')
const visibleRows = () =>
  rows()
    .elements()
    .filter((row) => row.checkVisibility()).length
const question = () => page.getByRole('alertdialog')
const button = (name: string | RegExp) => page.getByRole('button', { name })
const lastNotice = () => notices.get().at(-1)?.text

/** Shows the sessions of a user who is logged in with another program as well. */
async function showSessions(otherSessions: number): Promise<void> {
  const { username, password } = await becomePerson('dan')
  await call('sessions.end-others')
  for (let count = 0; count < otherSessions; count += 1) await commands.logInElsewhere(username, password)
  await showOwnSettings(<SessionsCard />)
  await expect.element(page.getByText('This session')).toBeVisible()
}

test('the own session is marked, and has its browser and the time of its login', async () => {
  await showSessions(0)
  await expect.element(rows().getByText('Chrome on Linux')).toBeVisible()
  await expect.element(rows().getByText(/^Logged in \d+/)).toBeVisible()
  expect(rows().getByRole('button').elements()).toEqual([])
})

test('sessions that look the same are one line until it is opened', async () => {
  await showSessions(2)
  const group = rows().filter({ hasText: '2 sessions' })
  await expect.poll(visibleRows).toBe(2)
  await group.getByText('rclone/v1.68').click()
  await expect.poll(visibleRows).toBe(4)
})

test('a question precedes the end of one session and of several, and Cancel ends none', async () => {
  await showSessions(2)
  await rows().filter({ hasText: '2 sessions' }).getByText('rclone/v1.68').click()
  await button(/^End session: rclone/)
    .last()
    .click()
  await question().getByRole('button', { name: 'Cancel' }).click()
  await expect.element(question()).not.toBeInTheDocument()
  await button('End 2 sessions: rclone/v1.68').click()
  await expect.element(question().getByText(/^2 other sessions/)).toBeVisible()
  await question().getByRole('button', { name: 'Cancel' }).click()
  await expect.element(question()).not.toBeInTheDocument()
  expect(await callJson('sessions.list')).toHaveLength(3)
})

test('all other sessions are ended after a question', async () => {
  await showSessions(2)
  await button('End all other sessions').click()
  await expect.element(question().getByText(/^2 other sessions/)).toBeVisible()
  await question().getByRole('button', { name: 'End all other sessions' }).click()
  await expect.poll(() => rows().elements().length).toBe(1)
  expect(lastNotice()).toBe('Sessions ended!')
  expect((await callJson('sessions.list')).map(({ current }) => current)).toEqual([true])
})

test('one session is ended after a question', async () => {
  await showSessions(1)
  await rows().getByRole('button').click()
  await question().getByRole('button', { name: 'End session' }).click()
  await expect.poll(() => rows().elements().length).toBe(1)
  await expect.element(question()).not.toBeInTheDocument()
  expect(lastNotice()).toBe('Session ended!')
})
