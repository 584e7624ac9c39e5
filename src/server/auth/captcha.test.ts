import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { captchaServer } from '../../../test/kit/captcha-server.ts'
import { createCaptcha } from './captcha.ts'

const settingsWith = (host: string, secret = 'secret') => ({
  signIn: async () => ({ recaptcha: { host, key: 'key', secret }, header: '', command: '' }),
})

async function ask(respond: (response: ServerResponse) => void, timeoutMs = 10_000) {
  const service = await captchaServer(respond)
  const captcha = createCaptcha({ settings: settingsWith(service.host), timeoutMs })
  return { ...service, captcha }
}

test('2.7: secret and answer are sent as a form, and `success: true` confirms the answer', async () => {
  const { captcha, forms, paths } = await ask((reply) => void reply.end('{"success":true}'))
  expect(await captcha('an answer & more')).toBe(true)
  expect([paths, ...forms.map((form) => Object.fromEntries(form))]).toEqual([
    ['POST /recaptcha/api/siteverify'],
    { secret: 'secret', response: 'an answer & more' },
  ])
})

test.each<readonly [string, number, string]>([
  ['no success', 200, '{"success":false}'],
  ['success as text', 200, '{"success":"true"}'],
  ['success that is a number', 200, '{"success":1}'],
  ['a list', 200, '[true]'],
  ['null', 200, 'null'],
  ['no JSON', 200, 'success'],
  ['another status', 500, '{"success":true}'],
  ['a reply that is too long', 200, `{"success":true,"x":"${'x'.repeat(70_000)}"}`],
])('the reply "%s" refuses the answer', async (_case, status, text) => {
  const { captcha } = await ask((reply) => void reply.writeHead(status).end(text))
  expect(await captcha('answer')).toBe(false)
})

test('a redirect refuses the answer and is not followed', async () => {
  const { captcha, paths } = await ask((reply) => void reply.writeHead(307, { location: '/yes' }).end())
  expect([await captcha('answer'), paths.length]).toEqual([false, 1])
})

test('an empty answer is refused without a request to the service', async () => {
  const { captcha, forms } = await ask((reply) => void reply.end('{"success":true}'))
  expect([await captcha(''), forms.length]).toEqual([false, 0])
})

test('a service that does not reply in time, or cannot be reached, is a failure', async () => {
  const { captcha } = await ask(() => {}, 50)
  await expect(captcha('answer')).rejects.toMatchObject({ code: 'internal' })
  const nowhere = createCaptcha({ settings: settingsWith('http://127.0.0.1:1') })
  await expect(nowhere('answer')).rejects.toMatchObject({ code: 'internal' })
})

test('without a configured secret the service is not called', async () => {
  expect(await createCaptcha({ settings: settingsWith('http://127.0.0.1:1', '') })('')).toBe(true)
})
