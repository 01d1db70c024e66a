#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A job array of Slurm, in a folder that all nodes share. Each task runs one part of a run:
#     sbatch slurm.sh
# A task that starts again, because its time was up or its node failed, resumes its part:
#     sbatch --array=3 slurm.sh
#SBATCH --job-name=shufflebias
#SBATCH --array=1-7
#SBATCH --cpus-per-task=8
#SBATCH --mem=2G
#SBATCH --time=24:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
set -eu

parts=7 # as in --array; SLURM_ARRAY_TASK_COUNT is smaller when only some tasks start again
run=${RUN:-naive -n 5 --samples 1e12}
part=part$SLURM_ARRAY_TASK_ID.json

# exec lets shufflebias receive the signal shortly before the time is up, so that it saves its counts
# shellcheck disable=SC2086 # words
exec shufflebias report $run --shard "$SLURM_ARRAY_TASK_ID/$parts" --save "$part" --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet
