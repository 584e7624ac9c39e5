import './styles/tokens.css'
import './styles/elements.css'
import { start } from './app/start.tsx'

const element = document.querySelector<HTMLElement>('#app')
if (element !== null) void start(element)
