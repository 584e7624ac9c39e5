import { useEffect, useRef } from 'react'
import { config } from '../../api/config.ts'
import styles from './login-screen.module.css'

type Widget = {
  readonly ready: (then: () => void) => void
  readonly render: (element: HTMLElement, options: { sitekey: string; theme: 'light' | 'dark' }) => number
  readonly getResponse: () => string
}

const widgetOf = (): Widget | undefined => (globalThis as { grecaptcha?: Widget }).grecaptcha

/** The answer to the challenge; empty where none is asked for, null while it is not solved. */
export function challengeAnswer(): string | null {
  if (!config().ReCaptcha) return ''
  return widgetOf()?.getResponse() || null
}

/** The instance's human-verification widget, in a place of its size. Nothing where none is asked for. */
export function Challenge() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (config().ReCaptcha && place.current !== null) showWidget(place.current)
  }, [])
  return config().ReCaptcha ? <div ref={place} className={styles.challenge} /> : null
}

function showWidget(element: HTMLElement): void {
  const { ReCaptchaHost = 'https://www.google.com', ReCaptchaKey = '' } = config()
  const render = (): void =>
    widgetOf()?.ready(() => {
      const isDark = document.documentElement.classList.contains('dark')
      if (element.isConnected && element.childElementCount === 0)
        widgetOf()?.render(element, { sitekey: ReCaptchaKey, theme: isDark ? 'dark' : 'light' })
    })
  if (widgetOf() !== undefined) return render()
  const script = document.createElement('script')
  script.src = `${ReCaptchaHost}/recaptcha/api.js?render=explicit`
  script.addEventListener('load', render)
  document.head.append(script)
}
