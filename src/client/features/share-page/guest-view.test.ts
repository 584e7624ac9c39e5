import { beforeEach, expect, test } from 'vitest'
import { pathOf } from '../../../shared/domain/path.ts'
import { chooseView, guestViews, viewOf } from './guest-view.ts'
import type { SharePath } from './share-address.ts'

const linkAt = (text: string): SharePath => {
  const path = pathOf(text)
  if (path === null) throw new Error(`${text} is no path.`)
  return path
}

beforeEach(() => guestViews.set(''))

test('the view that a guest chooses counts for all folders of the link, and for no other link', () => {
  chooseView(linkAt('/abc/trip'), 'mosaic')
  expect(viewOf(guestViews.get(), linkAt('/abc'))).toBe('mosaic')
  expect(viewOf(guestViews.get(), linkAt('/abc/trip/day'))).toBe('mosaic')
  expect(viewOf(guestViews.get(), linkAt('/abd'))).toBe(null)
  chooseView(linkAt('/abc'), 'list')
  expect(viewOf(guestViews.get(), linkAt('/abc/trip'))).toBe('list')
})

test('the device keeps the views of the last 100 links, and no address of a link', () => {
  for (let at = 0; at < 101; at += 1) chooseView(linkAt(`/Xq7aPz01LmN_${at}`), 'gallery')
  expect(viewOf(guestViews.get(), linkAt('/Xq7aPz01LmN_0'))).toBe(null)
  expect(viewOf(guestViews.get(), linkAt('/Xq7aPz01LmN_1'))).toBe('gallery')
  expect(guestViews.get().split(',')).toHaveLength(100)
  expect(guestViews.get()).not.toContain('Xq7aPz01')
})
