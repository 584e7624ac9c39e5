import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../../../test/kit/start-process.ts'

test.runIf(process.platform === 'linux')('the kernel kills a program before the server', async () => {
  const child = startProcess({
    program: '/bin/sh',
    args: ['-c', 'read -r line; sh -c "cat /proc/self/oom_score_adj"'],
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ownValue = Number(readFileSync('/proc/self/oom_score_adj', 'latin1'))
  let output = ''
  child.stdin?.end('go\n')
  for await (const chunk of child.stdout ?? []) output += String(chunk)
  expect(Number(output)).toBe(1000)
  expect(Number(readFileSync('/proc/self/oom_score_adj', 'latin1'))).toBe(ownValue)
})
