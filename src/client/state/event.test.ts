import { expect, test } from 'vitest'
import { createEvent } from './event.ts'

test('an event tells each listener what has happened while it listens, and nothing from before', () => {
  const renamed = createEvent<string>()
  const heard: string[] = []
  const listen = (name: string) => renamed.subscribe((detail) => heard.push(`${name} ${detail}`))
  renamed.emit('a.txt')
  const stopFirst = listen('first')
  listen('second')
  renamed.emit('b.txt')
  stopFirst()
  renamed.emit('b.txt')
  expect(heard).toEqual(['first b.txt', 'second b.txt', 'second b.txt'])
})
