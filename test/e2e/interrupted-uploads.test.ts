import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { rowOf, signIn } from '../kit/browser.ts'
import { ann, type RunningServer } from '../kit/run-server.ts'
import { atRoot, eventually } from './journeys.ts'

const mebi = 1024 * 1024
const bytes = Buffer.from(
  Uint32Array.from({ length: 6 * mebi }, (_, n) => Math.imul(n, 2_654_435_761)).buffer,
)
const hashOf = (data: Buffer): string => createHash('sha256').update(data).digest('hex')

/** A proxy in front of the server. It passes on at most 16 MB each second, and its connections can be cut. */
async function startSlowProxy(target: RunningServer, { letsSocketsThrough = true } = {}) {
  const sockets = new Set<Socket>()
  let isCut = false
  const proxy = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(target.port, '127.0.0.1')
    for (const socket of [near, far]) sockets.add(socket)
    const end = () => {
      near.destroy()
      far.destroy()
    }
    near.on('data', (chunk: Buffer) => {
      if (!letsSocketsThrough && /^upgrade: websocket/im.test(chunk.toString('latin1'))) return end()
      far.write(chunk)
      near.pause()
      setTimeout(() => near.resume(), chunk.length / ((16 * mebi) / 1000))
    })
    far.on('data', (chunk: Buffer) => near.write(chunk))
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    cut,
    restore: () => void (isCut = false),
    async close() {
      cut()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** Records the offsets of the parts that the page sends. */
const recordOffsets = (page: Page) => {
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  return offsets
}

const tray = (page: Page) => page.locator('[data-part="uploads"]')

let chosen = ''
beforeAll(async () => {
  chosen = await mkdtemp(path.join(tmpdir(), 'stowage-chosen-'))
})
afterAll(() => rm(chosen, { recursive: true }))

/** Chooses a file on the disk, of 24 MiB by default, as a person does. */
const choose = async (page: Page, name: string, content: Buffer = bytes) => {
  const file = path.join(chosen, name)
  await writeFile(file, content)
  await page.getByRole('button', { name: 'New', exact: true }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Upload files' }).click(),
  ])
  await chooser.setFiles(file)
}

atRoot({ files: { Docs: {} }, people: [ann] }, ({ server, window }) => {
  const stored = async (): Promise<number> => {
    const staged = (await readdir(server().folder)).find((name) => name.endsWith('.stowage-part'))
    if (staged === undefined) return 0
    return stat(path.join(server().folder, staged)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  const openAt = async (url: string) => {
    const page = await window()
    await signIn(page, { ...server(), url }, ann)
    await rowOf(page, /Docs/).waitFor()
    return page
  }
  /** Waits until an upload has its name on the disk, which it gets when it is complete, and compares its bytes. */
  const arrived = async (name: string) => {
    const file = path.join(server().folder, name)
    await eventually(() => existsSync(file), true)
    expect(hashOf(await readFile(file))).toBe(hashOf(bytes))
  }

  // Journey: interrupted-uploads-1
  test('an upload whose connection is cut continues where it was when the connection is back, and a small file with a lost response is not asked about', async () => {
    const proxy = await startSlowProxy(server())
    const page = await openAt(proxy.url)
    const offsets = recordOffsets(page)
    await choose(page, 'cut.bin')
    await eventually(async () => (await stored()) > 4 * mebi, true)
    proxy.cut()
    await page.getByText('Waiting for connection').first().waitFor()
    proxy.restore()
    await arrived('cut.bin')
    expect(offsets[0]).toBe(0)
    expect(Math.min(...offsets.slice(1))).toBeGreaterThan(4 * mebi)
    expect((await readdir(server().folder)).filter((name) => name.endsWith('.stowage-part'))).toEqual([])

    // The server has stored a small file, and its response is lost.
    await page.getByRole('button', { name: 'Close uploads' }).click()
    await tray(page).waitFor({ state: 'detached' })
    let posts = 0
    await page.route('**/api/resources/small.txt*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      posts += 1
      if (posts > 1) return route.continue()
      // The server has stored the file, and its response is lost. The browser does not tell the body to a test.
      const time = Number(route.request().headers()['x-modified-ms']) / 1000
      await writeFile(path.join(server().folder, 'small.txt'), 'small')
      await utimes(path.join(server().folder, 'small.txt'), time, time)
      return route.abort('failed')
    })
    await choose(page, 'small.txt', Buffer.from('small'))
    await tray(page).getByText('1 file uploaded').waitFor()
    expect([posts, await page.getByRole('dialog').count()]).toEqual([2, 0])
    expect(await readdir(server().folder)).toContain('small.txt')
    await proxy.close()
  })

  test('an upload continues after the server was killed and started again, and files chosen meanwhile follow', async () => {
    const proxy = await startSlowProxy(server())
    const page = await openAt(proxy.url)
    await choose(page, 'killed.bin')
    await eventually(async () => (await stored()) > 4 * mebi, true)
    await server().stop('SIGKILL')
    await tray(page).getByText('Waiting for connection · 1 file').waitFor()
    await choose(page, 'chosen-offline.bin')
    await tray(page).getByRole('button', { name: 'Show uploads: Waiting for connection' }).waitFor()
    await server().start()
    await arrived('killed.bin')
    await arrived('chosen-offline.bin')
    await tray(page).getByText('2 files uploaded').waitFor()
    await proxy.close()
  })

  // Journey: interrupted-uploads-2
  test('an upload that is paused sends nothing until it is resumed, alone or with all, and one that is cancelled leaves nothing on the disk', async () => {
    const proxy = await startSlowProxy(server())
    const page = await openAt(proxy.url)
    const offsets = recordOffsets(page)
    await choose(page, 'paused.bin')
    await eventually(async () => (await stored()) > 2 * mebi, true)
    await page.getByRole('button', { name: /Show uploads/ }).click()
    await page.getByRole('button', { name: 'Pause paused.bin' }).press('Enter')
    await tray(page).getByText('Paused · 1 file').waitFor()
    await untilStill(stored)
    const [parts, kept] = [offsets.length, await stored()]
    await untilStill(stored)
    expect([offsets.length, await stored()]).toEqual([parts, kept])
    // The button keeps the focus, although it has another meaning now.
    await eventually(
      () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Resume paused.bin',
    )
    await page.keyboard.press('Enter')
    await eventually(() => offsets.length > parts, true)
    await page.getByRole('button', { name: 'Pause all' }).click()
    await tray(page).getByText('Paused · 1 file').waitFor()
    const before = await stored()
    await page.getByRole('button', { name: 'Resume all' }).click()
    await arrived('paused.bin')
    expect(before).toBeGreaterThan(0)
    expect(Math.min(...offsets.slice(1))).toBeGreaterThan(0)
    await tray(page).getByText('1 file uploaded').waitFor()

    for (const [index, isPaused] of [false, true].entries()) {
      const name = `cancelled-${index}.bin`
      await choose(page, name)
      await eventually(async () => (await stored()) > 2 * mebi, true)
      if (isPaused) {
        await page.getByRole('button', { name: `Pause ${name}` }).click()
        await tray(page).getByText('Paused · 1 file').waitFor()
      }
      await page.getByRole('button', { name: `Cancel ${name}` }).click()
      await eventually(stored, 0)
      await tray(page).getByText('1 cancelled').waitFor()
      expect(await readdir(server().folder)).not.toContain(name)
    }
    await proxy.close()
  })

  test('behind a proxy that lets no sockets through, the list says that it is fetched every minute, and an upload that a reload interrupts is named', async () => {
    const proxy = await startSlowProxy(server(), { letsSocketsThrough: false })
    const page = await openAt(proxy.url)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByText('Updated every minute').waitFor()
    expect(await page.getByText('Reconnecting…').count()).toBe(0)
    await writeFile(path.join(server().folder, 'from another program.txt'), '')
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await page.getByRole('row', { name: /from another program/ }).waitFor()

    await choose(page, 'reloaded.bin')
    await eventually(async () => (await stored()) > 2 * mebi, true)
    await page.reload()
    const notices = page.getByRole('region', { name: 'Notifications' })
    await notices.getByText('“reloaded.bin” was not uploaded to the end').waitFor()
    await notices.getByRole('button', { name: 'Show' }).waitFor()
    await page.reload()
    await page.getByRole('row', { name: /from another program/ }).waitFor()
    await page.getByText('Updated every minute').waitFor()
    expect(await notices.getByText('was not uploaded to the end').count()).toBe(0)
    await proxy.close()
  })
})

/**
 * Waits until a number stays the same for half a second, because the server still stores what had arrived before a pause.
 * It stores in bursts, which on a busy machine are more than 100 ms apart.
 */
async function untilStill(read: () => Promise<number>): Promise<void> {
  let [before, equalReads] = [-1, 0]
  await eventually(async () => {
    const now = await read()
    equalReads = now === before ? equalReads + 1 : 0
    before = now
    return equalReads >= 5
  }, true)
}
