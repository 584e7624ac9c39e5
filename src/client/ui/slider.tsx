import type { InputHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import styles from './slider.module.css'

type SliderProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'aria-label'> & {
  readonly 'aria-label': string
}

/** Renders a slider for a number. The browser handles its keys. */
export const Slider = ({ className, ...input }: SliderProps) => (
  <input {...input} type="range" className={classNames(styles.slider, className)} />
)
