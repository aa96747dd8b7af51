import { registerHooks } from 'node:module'

/**
 * Resolves imports of TypeScript files by their path alone. vitest reports every import to its main process, which takes
 * half the time of importing the server in each worker, and serves watching: there it stays. In a run, the code
 * shown with an error is then always that of the test; the lines of the stack are the same.
 */
export function resolveImports(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (!/^\.\.?\/.*\.ts$/.test(specifier)) return nextResolve(specifier, context)
      return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
    },
  })
}
