import { mustPass } from './scenarios/must-pass.ts'
import { sharedScenarios } from './scenarios/shared.ts'

mustPass(sharedScenarios)
