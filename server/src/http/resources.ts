import type { Runtime } from '../runtime.ts'
import { addAuthRoutes } from './auth.ts'
import type { App } from './context.ts'
import { addDocsPages } from './docs-pages.ts'

/** One function per resource; each adds its routes. */
export const resources: readonly ((app: App, rt: Runtime) => void | Promise<void>)[] = [addAuthRoutes, addDocsPages]
