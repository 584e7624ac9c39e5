import './styles/tokens.css'
import './styles/base.css'
import { start } from './app/start.tsx'

const element = document.querySelector<HTMLElement>('#app')
if (element !== null) void start(element)
