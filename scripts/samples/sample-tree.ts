import { mkdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { samplePdf } from './pdf.ts'
import { samplePng } from './png.ts'

const dayMs = 24 * 60 * 60 * 1000
const words = [
  'Budget',
  'Contract',
  'Letter',
  'Minutes',
  'Notes',
  'Offer',
  'Plan',
  'Report',
  'Survey',
  'Timetable',
]

/**
 * Creates the sample folder for end-to-end tests, screenshots and benchmarks. It contains `Photos` (48 pictures),
 * `Docs` (20 text files), and single files: a text, a document, a sound, and a file of unknown type. The entries have
 * different modification times before `nowMs`.
 */
export async function makeSampleTree(folder: string, nowMs: number): Promise<void> {
  const age = (name: string, days: number) => {
    const seconds = (nowMs - days * dayMs) / 1000
    return utimes(path.join(folder, name), seconds, seconds)
  }
  const put = async (name: string, content: string | Uint8Array, ageDays: number) => {
    await writeFile(path.join(folder, name), content)
    await age(name, ageDays)
  }
  await Promise.all(['Photos', 'Docs'].map((name) => mkdir(path.join(folder, name), { recursive: true })))
  for (let n = 1; n <= 48; n += 1) {
    const picture = samplePng(
      (n * 37) % 360,
      n % 3 === 0 ? { width: 240, height: 320 } : { width: 320, height: 240 },
    )
    await put(`Photos/Picture ${n}.png`, picture, n)
  }
  for (let n = 1; n <= 20; n += 1) {
    const word = words[(n - 1) % words.length] ?? ''
    await put(
      `Docs/${word} ${2025 + Math.floor((n - 1) / words.length)}.txt`,
      `${word}\n`.repeat(n * 40),
      n * 9,
    )
  }
  await put('report.txt', 'Quarterly report\n\nAll is well.\n', 3)
  await put('scan.pdf', samplePdf('A page that was scanned'), 12)
  await put('song.mp3', silentSound(200), 40)
  await put(
    'data.bin',
    Uint8Array.from({ length: 4096 }, (_, n) => (n * 31) % 256),
    90,
  )
}

/**
 * Returns a silent MP3 file (MPEG 1 layer III, 128 kbit/s, 44.1 kHz) with the given number of frames. A frame lasts 26
 * ms.
 */
function silentSound(frames: number): Buffer {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0xc4])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}
