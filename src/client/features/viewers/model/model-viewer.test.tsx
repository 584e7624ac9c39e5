import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { showFile } from '../../../../../test/components/show-file.tsx'
import { violations } from '../../../../../test/components/violations.ts'

const drawing = () => document.querySelector<HTMLCanvasElement>('[data-part="model"] canvas')
const name = () => drawing()?.textContent ?? null

test.each([
  ['1 part.stl', '1 triangle'],
  ['2 part.obj', '2 triangles'],
  ['3 inside.gltf', '1 triangle'],
  ['4 beside #?.gltf', '1 triangle'],
])('%s is drawn, and its text alternative says %s', async (file, triangles) => {
  await showFile(`/models/${file}`)
  await expect.poll(name).toBe(`Model ${file}, ${triangles}`)
})

test('a model that needs no optional extension is drawn', async () => {
  await showFile('/models/9 optional.gltf')
  await expect.poll(name).toContain('1 triangle')
})

test.each([
  ['7 draco.glb', 'KHR_draco_mesh_compression'],
  ['8 meshopt.gltf', 'EXT_meshopt_compression'],
])('%s names the extension that it needs', async (file, extension) => {
  await showFile(`/models/${file}`)
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent(`This model cannot be shown, because it needs the glTF extension ${extension}.`)
})

test('a model whose bytes are at another server is not shown, and the server is not asked', async () => {
  await showFile('/models/5 remote.gltf')
  await expect.element(page.getByText(/no preview|The file seems to be damaged/)).toBeVisible()
  const asked = performance.getEntriesByType('resource').map((entry) => new URL(entry.name))
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.filter(({ hostname }) => hostname === 'example.org')).toEqual([])
})

test('a damaged model is not shown', async () => {
  await showFile('/models/6 broken.glb')
  await expect.element(page.getByText(/no preview|The file seems to be damaged/)).toBeVisible()
})

/** Does something that changes the drawing. */
async function expectChange(act: () => Promise<void>): Promise<void> {
  const before = await seen()
  await act()
  await expect.poll(async () => (await seen()) === before).toBe(false)
}

const seen = async () => page.screenshot({ element: drawing()!, save: false })
const button = (label: string) => page.getByRole('button', { name: label })

test('a model is turned by a button and by a key, is enlarged, and fits into the window again', async () => {
  await showFile('/models/1 part.stl')
  await expect.poll(name).toContain('1 triangle')
  await expectChange(async () => button('Turn').click())
  await expectChange(async () => userEvent.keyboard('{ArrowRight}'))
  await expectChange(async () => userEvent.keyboard('+'))
  await expectChange(async () => button('Fit to the window').click())
})

test('a model fits into a narrow window, and axe reports no violation', async () => {
  await page.viewport(390, 800)
  await showFile('/models/1 part.stl')
  await expect.poll(name).toContain('1 triangle')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  expect(await violations()).toEqual([])
  await page.viewport(1280, 800)
})
