import { expect, test } from 'vitest'
import { codeOf } from '../../../shared/domain/failure.ts'
import { contentHeaders, refuseAsCode } from './content-headers.ts'

const png = '\x89PNG\r\n\x1a\n....'
const html = '<!doctype html><script>alert(1)</script>'
const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'
const opaque = ['application/octet-stream', 'attachment']
const shown = (type: string) => [type, 'inline']

const inline = (name: string, head: string) =>
  contentHeaders({ name, isInline: true, head: Buffer.from(head, 'latin1') })
const summary = (headers: Readonly<Record<string, string>>) => [
  headers['content-type'],
  headers['content-disposition']?.split(';')[0],
]

test.each([
  ['a.png', png, shown('image/png')],
  ['A.PNG', png, shown('image/png')],
  ['a.jpg', '\xff\xd8\xff\xe0', shown('image/jpeg')],
  ['a.jpeg', '\xff\xd8\xff\xe1', shown('image/jpeg')],
  ['a.gif', 'GIF89a', shown('image/gif')],
  ['a.webp', 'RIFF\x10\0\0\0WEBPVP8 ', shown('image/webp')],
  ['a.avif', '\0\0\0\x1cftypavif', shown('image/avif')],
  ['a.bmp', 'BM\0\0', shown('image/bmp')],
  ['a.ico', '\0\0\x01\0', shown('image/x-icon')],
  ['a.mp4', '\0\0\0\x20ftypisom', shown('video/mp4')],
  ['a.webm', '\x1aE\xdf\xa3', shown('video/webm')],
  ['a.mkv', '\x1aE\xdf\xa3', shown('video/x-matroska')],
  ['a.mp3', 'ID3\x03', shown('audio/mpeg')],
  ['a.mp3', '\xff\xfb\x90', shown('audio/mpeg')],
  ['a.flac', 'fLaC', shown('audio/flac')],
  ['a.ogg', 'OggS', shown('audio/ogg')],
  ['a.wav', 'RIFF\0\0\0\0WAVEfmt ', shown('audio/wav')],
  ['a.txt', 'hello', shown('text/plain; charset=utf-8')],
  ['a.txt', '', shown('text/plain; charset=utf-8')],
  ['a.txt', html, shown('text/plain; charset=utf-8')],
  ['a.md', '# \xc3\xa4', shown('text/plain; charset=utf-8')],
  ['a.txt', 'Stra\xdfe', shown('text/plain')],
  ['a.txt', '\xff\xfeh\0i\0', shown('text/plain; charset=utf-16')],
  ['a.txt', 'a\0b', opaque],
  ['a.vtt', 'WEBVTT\n', shown('text/vtt; charset=utf-8')],
  ['a.vtt', html, opaque],
  ['a.pdf', '%PDF-1.7', shown('application/pdf')],
  ['a.pdf', `${' '.repeat(1000)}%PDF-1.7`, shown('application/pdf')],
  ['a.pdf', html, opaque],
  ['a.png', html, opaque],
  ['a.png', svg, opaque],
  ['a.jpg', png, shown('image/png')],
  ['a.png', '\xff\xd8\xff\xe0', shown('image/jpeg')],
  ['a.jpeg', 'RIFF\x10\0\0\0WEBPVP8 ', shown('image/webp')],
  ['a.jpg', 'GIF89a', shown('image/gif')],
  ['a.jpg', 'II*\0', shown('image/tiff')],
  ['a.tif', '\xff\xd8\xff\xe0', shown('image/jpeg')],
  ['a.jpg', '\0\0\0\x1cftypavif', shown('image/avif')],
  ['a.jpg', '\0\0\0\x1cftypheic', shown('image/heic')],
  ['a.heic', '\xff\xd8\xff\xe0', shown('image/jpeg')],
  ['a.heic', '\0\0\0\x1cftypmif1\0\0\0\0mif1avif', shown('image/avif')],
  ['a.jpg', html, opaque],
  ['a.jpg', svg, opaque],
  ['a.jpg', '%PDF-1.7', opaque],
  ['a.jpg', '\0\0\0\x20ftypisom', opaque],
  ['a.html', png, opaque],
  ['a.svg', png, opaque],
  ['a.mp4', png, opaque],
  ['a.mp4', html, opaque],
  ['a.html', html, opaque],
  ['a.htm', html, opaque],
  ['a.xhtml', html, opaque],
  ['a.xml', svg, opaque],
  ['a.js', 'alert(1)', opaque],
  ['a.css', 'a{}', opaque],
  ['a.json', '{}', opaque],
  ['a.mhtml', 'MIME-Version: 1.0', opaque],
  ['a.swf', 'FWS', opaque],
  ['png', png, opaque],
  ['', png, opaque],
  ['a', 'text', opaque],
  ['a.svg', svg, ['image/svg+xml', 'attachment']],
  ['a.svg', html, opaque],
  ['a.svgz', 'no gzip', opaque],
  ['a.__proto__', html, opaque],
])('the file %s that begins with %j has the right headers inline', (name, head, expected) => {
  expect(summary(inline(name, head))).toEqual(expected)
})

test.each(['a.png', 'a.pdf', 'a.svg', 'a.txt', 'a.html'])(
  '%s is a download unless the request is inline',
  (name) => {
    const headers = contentHeaders({ name, isInline: false, head: Buffer.from(png, 'latin1') })
    expect(summary(headers)).toEqual(opaque)
  },
)

test('a compressed drawing is decoded by the browser where it is shown, and is a download as it is', () => {
  expect(inline('a.svgz', '\x1f\x8b')['content-encoding']).toBe('gzip')
  const head = Buffer.from('\x1f\x8b', 'latin1')
  expect(contentHeaders({ name: 'a.svgz', isInline: false, head })['content-encoding']).toBeUndefined()
})

test('everything except PDF is sandboxed, because viewers need to frame PDF', () => {
  expect(inline('a.svg', svg)['content-security-policy']).toMatch(/^sandbox; default-src 'none';/)
  expect(inline('a.html', html)['content-security-policy']).toMatch(/^sandbox; default-src 'none';/)
  const pdf = inline('a.pdf', '%PDF-1.7')
  expect(pdf['content-security-policy']).not.toContain('sandbox')
  for (const headers of [pdf, inline('a.png', png)]) {
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(headers['x-frame-options']).toBeUndefined()
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('private, no-cache')
  }
})

test.each([
  ['plain name.txt', 'plain name.txt', 'plain%20name.txt'],
  ['Größe.tar.gz', 'Gr__e.tar.gz', 'Gr%C3%B6%C3%9Fe.tar.gz'],
  ['a"b\\c%d.txt', 'a_b_c_d.txt', 'a%22b%5Cc%25d.txt'],
  ["-_.~$&+:=@!'()*.x", "-_.~$&+:=@!'()*.x", '-_.~$&+:=@%21%27%28%29%2A.x'],
  ['😀.png', '_.png', '%F0%9F%98%80.png'],
  ['a\r\nSet-Cookie: x=1.txt', 'a__Set-Cookie: x=1.txt', 'a%0D%0ASet-Cookie:%20x=1.txt'],
  ['bad\udcff.txt', 'bad_.txt', 'bad%FF.txt'],
])('the name %j is sent as an ASCII fallback and percent-encoded', (name, ascii, encoded) => {
  const { 'content-disposition': disposition } = contentHeaders({
    name,
    isInline: false,
    head: Buffer.alloc(0),
  })
  expect(disposition).toBe(`attachment; filename="${ascii}"; filename*=utf-8''${encoded}`)
})

test.each([
  ['script', true],
  ['style', true],
  ['worker', true],
  ['sharedworker', true],
  ['serviceworker', true],
  ['audioworklet', true],
  ['paintworklet', true],
  ['xslt', true],
  ['manifest', true],
  ['image', false],
  ['audio', false],
  ['video', false],
  ['track', false],
  ['object', false],
  ['embed', false],
  ['iframe', false],
  ['document', false],
  ['empty', false],
])('a request with the destination %s is refused: %s', (destination, isRefused) => {
  const check = () => refuseAsCode((name) => (name === 'sec-fetch-dest' ? destination : undefined))
  expect(isRefusal(check)).toBe(isRefused)
})

function isRefusal(ask: () => void): boolean {
  try {
    ask()
    return false
  } catch (thrown) {
    return codeOf(thrown) === 'forbidden'
  }
}

test('a service worker script is refused by its own header too', () => {
  expect(() => refuseAsCode((name) => (name === 'service-worker' ? 'script' : undefined))).toThrow(
    'forbidden',
  )
})
