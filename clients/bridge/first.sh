#!/bin/sh
# A bot for `toep bridge`: answers every ask with the first legal act. Only lines of the type "ask" want an answer.
while IFS= read -r line; do
    case $line in
        '{"type":"ask",'*) echo 0 ;;
    esac
done
