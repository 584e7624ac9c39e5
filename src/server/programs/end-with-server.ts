import type { ProcessStarter, ProgramProcess } from './process-starter.ts'

/**
 * The script of the process that outlives the server by a moment. It keeps a list of process groups, and kills them when
 * its standard input ends, which happens whenever the server has ended.
 */
const script = `groups=' '
while read -r change group; do
  case $change in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done`

/** The time in milliseconds after the last program after which the process ends, so that an idle server has none. */
const idleMs = 10_000

/**
 * Wraps a starter so that all programs end when the server does, also when the server is killed. A small process (a shell of
 * 1 MB) starts with the first program and ends some time after the last one. A program that begins a session of its own goes
 * on. `startGuardProcess` starts the small process, by default as programs are started.
 */
export function endingWithServer(start: ProcessStarter, startGuardProcess = start): ProcessStarter {
  let guard: ProgramProcess | null = null
  let running = 0
  let idleTimer: NodeJS.Timeout | undefined

  function startGuard(): ProgramProcess | null {
    try {
      const started = startGuardProcess({
        program: '/bin/sh',
        args: ['-c', script],
        env: {},
        cwd: '/',
        stdio: guardStdio,
      })
      const forget = (): void => {
        if (guard === started) guard = null
      }
      started.on('error', forget)
      started.once('exit', forget)
      started.stdin?.on('error', forget)
      started.unref()
      unrefStream(started.stdin)
      return started
    } catch {
      // Programs run without it on a machine without a shell.
      return null
    }
  }

  function endGuard(): void {
    guard?.stdin?.end()
    guard = null
  }

  function setIdleTimer(): void {
    if (running === 0) idleTimer = setTimeout(endGuard, idleMs).unref()
  }

  /** Starts a program. One that cannot be started must not keep the small process. */
  function startOrSetTimer(request: Parameters<ProcessStarter>[0]): ProgramProcess {
    try {
      return start(request)
    } catch (error) {
      setIdleTimer()
      throw error
    }
  }

  return (request) => {
    clearTimeout(idleTimer)
    guard ??= startGuard()
    const child = startOrSetTimer(request)
    const { pid } = child
    if (pid === undefined) return child
    const guarding = guard
    running += 1
    guarding?.stdin?.write(`+ ${pid}\n`)
    child.once('exit', () => {
      running -= 1
      guarding?.stdin?.write(`- ${pid}\n`)
      setIdleTimer()
    })
    return child
  }
}

const guardStdio = ['pipe', 'ignore', 'ignore'] as const

/** Lets the server exit while a pipe is open. */
function unrefStream(stream: object | null): void {
  if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
}
