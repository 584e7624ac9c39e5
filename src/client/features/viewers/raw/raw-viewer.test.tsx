import { beforeAll, expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import { coloursIn } from '../../../../../test/components/colours.ts'
import { showFile } from '../../../../../test/components/show-file.tsx'

beforeAll(async () => commands.addFiles('decoded'))

const image = () => document.querySelector<HTMLImageElement>('img[data-loaded]')

test.each([
  ['camera.cr2', ['001', '100']],
  ['d.dng', ['100', '001']],
  ['e.nef', ['001', '100']],
  ['f.arw', ['100', '001']],
])('%s shows the image of its camera, turned as it was held', async (name, colours) => {
  await showFile(`/decoded/${name}`)
  await expect.poll(() => coloursIn(image(), [0.2, 0.8])).toEqual(colours)
  expect(image()?.src).toMatch(/^blob:/)
})

test('a RAW file without an image is not shown', async () => {
  await showFile('/decoded/no preview.nef')
  await expect.element(page.getByText(/no preview|The file seems to be damaged/)).toBeVisible()
})
