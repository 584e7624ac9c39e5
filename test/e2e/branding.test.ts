import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { signIn } from '../kit/browser.ts'
import { ann } from '../kit/run-server.ts'
import { makeTree } from '../kit/tree.ts'
import { eventually, atRoot, showTheme } from './journeys.ts'

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40" viewBox="0 0 160 40">
<rect width="160" height="40" rx="8" fill="#7a1fa2"/><circle cx="20" cy="20" r="11" fill="#fff"/></svg>`

const style = `:root { --accent: #7a1fa2; --bg-canvas: #faf5fc; }
:root.dark { --accent: #9b3fc4; --bg-canvas: #160d1a; }`

const folder = await mkdtemp(path.join(tmpdir(), 'stowage-branding-'))
await makeTree(folder, { 'custom.css': style, img: { 'logo.svg': logo } })
afterAll(() => rm(folder, { recursive: true, force: true }))

const init = ['--branding.name', 'Shelf of Ann', '--branding.files', folder, '--branding.color', '#7a1fa2']

const logoRatio = (page: Page) =>
  page.locator('img[src$="/static/img/logo.svg"]').evaluate(async (element) => {
    const picture = element as HTMLImageElement
    await picture.decode()
    return [picture.naturalWidth, Math.round(picture.clientWidth / picture.clientHeight)]
  })

const canvas = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

const canvasColors = { light: 'rgb(250, 245, 252)', dark: 'rgb(22, 13, 26)' }

const colour = (page: Page, name: string) =>
  page.evaluate((element) => getComputedStyle(document.documentElement).getPropertyValue(element), name)

atRoot({ files: { 'a.txt': 'a' }, init }, ({ server, window, testAtRoot }) => {
  // Journey: branding-1
  test('name, logo, colours and the files of the manifest are those of the installation in both themes, on wide screens and phones', async () => {
    const page = await window()
    await page.goto(`${server().url}/login`)
    for (const theme of ['light', 'dark'] as const) {
      await showTheme(page, theme)
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        await page.getByRole('heading', { name: 'Shelf of Ann' }).waitFor()
        await eventually(() => logoRatio(page), [160, 4])
        await eventually(() => canvas(page), canvasColors[theme])
      }
    }

    // A browser can load every file that the manifest names.
    const devtools = await page.context().newCDPSession(page)
    const { errors, data = '{}' } = await devtools.send('Page.getAppManifest')
    await devtools.detach()
    expect(errors).toEqual([])
    const {
      name,
      start_url: start,
      icons,
    } = JSON.parse(data) as {
      name: string
      start_url: string
      icons: { src: string; sizes: string }[]
    }
    expect([name, new URL(start, server().url).href]).toEqual(['Shelf of Ann', `${server().url}/`])
    for (const { src, sizes } of icons) {
      const size = await page.evaluate(async (address) => {
        const picture = new Image()
        picture.src = address
        await picture.decode()
        return `${picture.naturalWidth}x${picture.naturalHeight}`
      }, src)
      expect(size).toBe(sizes)
    }

    await signIn(page, server(), ann)
    await page.getByRole('grid').waitFor()
    for (const theme of ['light', 'dark'] as const) {
      await showTheme(page, theme)
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await page.getByRole('link', { name: 'Shelf of Ann' }).waitFor()
        await eventually(() => logoRatio(page), [160, 3])
        await eventually(() => canvas(page), canvasColors[theme])
        expect(await colour(page, '--accent')).toBe(theme === 'dark' ? '#9b3fc4' : '#7a1fa2')
        await eventually(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
      }
    }
  })

  // Journey: branding-2
  testAtRoot('the theme of the installation applies to users who have not chosen a theme', async () => {
    const page = await window({ colorScheme: 'dark' })
    const themeOf = async (chosen: string | null) => {
      await page.evaluate(
        (name) => (name === null ? localStorage.removeItem('theme') : localStorage.setItem('theme', name)),
        chosen,
      )
      await page.goto(`${server().url}/login`)
      await page.getByRole('heading').waitFor()
      return page.evaluate(() => document.documentElement.className)
    }
    for (const [theme, expected, chosen] of [
      ['dark', 'dark', 'light'],
      ['light', 'light', 'dark'],
      ['', 'dark', 'light'],
    ] as const) {
      await server().cli('config', 'set', `--branding.theme=${theme}`)
      await eventually(() => themeOf(null), expected)
      expect(await themeOf(chosen)).toBe(chosen)
    }
    // Without a theme of the installation, the page follows the system while it is open.
    await themeOf(null)
    await page.emulateMedia({ colorScheme: 'light' })
    await eventually(() => page.evaluate(() => document.documentElement.className), 'light')
  })
})
