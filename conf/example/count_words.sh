#!/bin/sh
# An array job of real work: each task counts the words of its share of the dictionary-like list it makes.
#$ -N count -j y -t 1-4
#$ -l h_rt=0:5:0
# sim: runs 2 exits 0
set -eu
share=$TMPDIR/share
i=0
while [ $i -lt 20000 ]; do i=$((i + 1)); echo "word$((i * SGE_TASK_ID % 977)) more"; done >"$share"
sort -u "$share" | wc -l
sleep 1
