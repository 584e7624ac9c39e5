import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { captchaServer } from '../kit/captcha-server.ts'
import { ann } from '../kit/run-server.ts'
import { atRoot, expectFocusInside } from './journeys.ts'

/** A script of the challenge service whose answer the test sets. As with the real script, each answer is valid once. */
const challengeScript = `
  globalThis.answer = ''
  globalThis.grecaptcha = {
    ready: (then) => then(),
    render: () => 0,
    getResponse: () => answer,
    reset: () => { answer = '' },
  }`

const fill = async (page: Page, name: string, password: string, confirmation = password) => {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password Confirmation').fill(confirmation)
  await page.keyboard.press('Enter')
}

atRoot({ files: {}, people: [ann], init: ['--signup'] }, ({ server, window, testAtRoot }) => {
  // Journey: signup-1
  test('a guest creates an account from the sidebar, and is then logged in to an own folder', async () => {
    const page = await window()
    await page.goto(`${server().url}/404`)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Signup' }).click()
    await page.getByRole('button', { name: 'Signup' }).waitFor()
    expect(await page.title()).toBe('Login')
    await fill(page, 'eve', 'a horse of another colour')
    await page.getByText('It feels lonely here...').waitFor()
    expect(page.url()).toBe(`${server().url}/files/`)
    await page.getByRole('navigation', { name: 'Main' }).getByText('eve', { exact: true }).waitFor()
    expect(existsSync(path.join(server().folder, 'users', 'eve'))).toBe(true)
  })

  // Journey: signup-2
  testAtRoot('a refused signup says why, and keeps what was typed', async () => {
    const page = await window()
    await page.goto(`${server().url}/login`)
    expect(await page.getByText('Use at least 12 characters.').count()).toBe(0)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByText('Use at least 12 characters.').waitFor()
    const good = 'a horse of another colour'
    for (const [name, password, confirmation, reason] of [
      ['zoe', good, 'another horse', "Passwords don't match"],
      ['zoe', 'short', 'short', 'Use at least 12 characters.'],
      ['zoe', 'password1234', 'password1234', 'This password is too easy to guess.'],
      ['..', good, good, 'This name or password is not allowed.'],
      [ann.name, good, good, 'Username already taken'],
    ] as const) {
      await fill(page, name, password, confirmation)
      await page.getByRole('alert').getByText(reason).waitFor()
      expect(await page.getByLabel('Username').inputValue()).toBe(name)
      await expectFocusInside(page)
    }
    expect(await page.getByLabel('Username').evaluate((field) => field === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'Already have an account' }).click()
    expect(await page.getByLabel('Password Confirmation').count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByLabel('Password', { exact: true }).fill(ann.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server().url}/files/`)
  })

  // Journey: signup-3
  testAtRoot('with a challenge, the login after a signup asks for another answer', async () => {
    const used = new Set<string | null>()
    const service = await captchaServer((reply, { method }) => {
      if (method === 'GET') {
        reply.setHeader('content-type', 'text/javascript').end(challengeScript)
        return
      }
      const response = service.forms.at(-1)?.get('response') ?? null
      reply.end(JSON.stringify({ success: !used.has(response) }))
      used.add(response)
    })
    const options = [`--recaptcha.host=${service.host}`, '--recaptcha.key=key', '--recaptcha.secret=secret']
    await server().cli('config', 'set', ...options)
    const page = await window()
    await page.goto(`${server().url}/login?signup`)
    const solve = async (text: string) => {
      await page.waitForFunction('globalThis.grecaptcha !== undefined')
      await page.evaluate(`answer = '${text}'`)
    }
    await fill(page, 'ida', 'a horse of another colour')
    await page.getByRole('alert').getByText('Wrong credentials').waitFor()
    await solve('first')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Your account was created.').waitFor()
    await page.getByRole('button', { name: 'Login' }).waitFor()
    await solve('second')
    await page.getByRole('button', { name: 'Login' }).click()
    await page.waitForURL(`${server().url}/files/`)
  })
})
