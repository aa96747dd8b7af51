import { lazy } from 'react'

// Loaded when they are opened: the page has enough to load before the first conversation is read.

export const TemplateDialog = lazy(async () => {
  const { TemplateDialog } = await import('../../../components/message/template-dialog.tsx')
  return { default: TemplateDialog }
})

export const QuestionDialog = lazy(async () => {
  const { QuestionDialog } = await import('./question-dialog.tsx')
  return { default: QuestionDialog }
})

export const LaterDialog = lazy(async () => {
  const { LaterDialog } = await import('./later-dialog.tsx')
  return { default: LaterDialog }
})

export const SavedRepliesDialog = lazy(async () => {
  const { SavedRepliesDialog } = await import('../saved-replies/saved-replies.tsx')
  return { default: SavedRepliesDialog }
})

export const BlockDialog = lazy(async () => {
  const { BlockDialog } = await import('../../../components/message/block-dialog.tsx')
  return { default: BlockDialog }
})
