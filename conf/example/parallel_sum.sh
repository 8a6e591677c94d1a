#!/bin/sh
# A parallel job of real work: every granted host sums its part of 1..N through qrsh -inherit.
#$ -N sum -j y
#$ -l h_rt=0:5:0
# sim: runs 3 exits 0
set -eu
n=60000
hosts=$(cut -d' ' -f1 "$PE_HOSTFILE")
count=$(echo "$hosts" | wc -l)
part=0
for host in $hosts; do
  part=$((part + 1))
  qrsh -inherit -nostdin "$host" "i=$part; s=0; while [ \$i -le $n ]; do s=\$((s + i)); i=\$((i + $count)); done; echo \$s" >"$TMPDIR/part.$part" &
done
wait
total=0
for file in "$TMPDIR"/part.*; do total=$((total + $(cat "$file"))); done
echo "hosts $count sum $total expected $((n * (n + 1) / 2))"
[ "$total" -eq $((n * (n + 1) / 2)) ]
