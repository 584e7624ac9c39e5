import { useEffect, useRef } from 'react'
import { config } from '../../api/config.ts'
import styles from './login-screen.module.css'

/**
 * The part of the challenge service's script that the login uses. A widget is named by the number that `render`
 * returns.
 */
type ChallengeScript = {
  readonly ready: (then: () => void) => void
  readonly render: (element: HTMLElement, options: { sitekey: string; theme: 'light' | 'dark' }) => number
  readonly getResponse: (widget?: number) => string
  readonly reset: (widget?: number) => void
}

const scriptOf = (): ChallengeScript | undefined =>
  (globalThis as { grecaptcha?: ChallengeScript }).grecaptcha

/** The widget that was rendered last: the script keeps those of earlier forms too. */
let widget: number | undefined

/** Returns the answer to the challenge: empty where none is asked for, null while it is not solved. */
export function challengeAnswer(): string | null {
  if (!config().ReCaptcha) return ''
  return scriptOf()?.getResponse(widget) || null
}

/** Asks for a new answer: the service accepts each answer once. */
export function resetChallenge(): void {
  if (config().ReCaptcha) scriptOf()?.reset(widget)
}

/** Renders the widget of the human verification in a box of its size, or nothing where the server asks for none. */
export function Challenge() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (config().ReCaptcha && box.current !== null) showWidget(box.current)
  }, [])
  return config().ReCaptcha ? <div ref={box} className={styles.challenge} /> : null
}

function showWidget(element: HTMLElement): void {
  const { ReCaptchaHost = 'https://www.google.com', ReCaptchaKey = '' } = config()
  const render = (): void =>
    scriptOf()?.ready(() => {
      const isDark = document.documentElement.classList.contains('dark')
      if (element.isConnected && element.childElementCount === 0)
        widget = scriptOf()?.render(element, { sitekey: ReCaptchaKey, theme: isDark ? 'dark' : 'light' })
    })
  if (scriptOf() !== undefined) return render()
  const script = document.createElement('script')
  script.src = `${ReCaptchaHost}/recaptcha/api.js?render=explicit`
  script.addEventListener('load', render)
  document.head.append(script)
}
