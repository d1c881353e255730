import { changingScenarios } from './scenarios/changing.ts'
import { mustPass } from './scenarios/must-pass.ts'

mustPass(changingScenarios)
